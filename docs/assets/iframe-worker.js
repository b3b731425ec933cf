// Browsers start no worker from a folder; there a hidden frame takes its place, so that search works.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.loaded = new Promise((done) => {
        this.frame.onload = () => {
          const inner = this.frame.contentWindow
          if (inner.document.querySelector("script")) return
          inner.postMessage = (data) => this.tell("message", data)
          inner.importScripts = (...urls) =>
            Promise.all(urls.map((one) => this.run(inner, one)))
          this.run(inner, url).then(() => done(inner))
        }
      })
      document.body.append(this.frame)
    }
    run(inner, url) {
      return new Promise((done, failed) => {
        const script = inner.document.createElement("script")
        script.src = url
        script.onload = done
        script.onerror = failed
        inner.document.head.append(script)
      })
    }
    tell(kind, data) {
      const event = new MessageEvent(kind, { data })
      this.dispatchEvent(event)
      if (this[`on${kind}`]) this[`on${kind}`](event)
    }
    postMessage(data) {
      const copy = structuredClone(data) // as a worker gets it: what the sender changes later is not sent
      this.loaded.then((inner) => inner.dispatchEvent(new MessageEvent("message", { data: copy })))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
