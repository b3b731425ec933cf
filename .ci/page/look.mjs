// Talks to the page in a browser without a window, and takes a picture of each scene of it.
import { chromium } from "playwright-core";

const [address, browser, folder, told] = process.argv.slice(2);
const SECONDS = 120_000;
const window_ = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });

for (const { name, says, edits, streamed } of JSON.parse(told)) {
  const page = await window_.newPage({ viewport: { width: 920, height: 700 } });
  page.on("pageerror", (error) => console.log(`${name}: the page failed: ${error.message}`));
  page.on("requestfailed", (one) => one.resourceType() === "image" && console.log(`${name}: not loaded: ${one.url()} ${one.failure()?.errorText}`));
  await page.goto(address);
  await page.waitForFunction(() => window.send);
  // Thoughts are gone in a moment: what the page held with the longest of them is kept.
  await page.evaluate(() => {
    window.held = "";
    new MutationObserver(() => {
      if (document.querySelector("section[data-id^=thoughts-]")) window.held = document.querySelector("main").outerHTML;
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  for (const text of says) {
    const before = await page.locator("section").count();
    await page.evaluate((words) => void window.send(words), text);
    await page.waitForFunction(
      (count) => {
        const done = document.querySelector("main").dataset.busy === "false";
        return done && document.querySelectorAll("section").length > count;
      },
      before, { timeout: SECONDS });
  }
  if (edits) {
    await page.waitForTimeout(1000); // the page reads the thread's history
    await page.evaluate((words) => void window.edit(words), edits);
    await page.waitForFunction((words) => {
      const main = document.querySelector("main");
      return main.dataset.busy === "false" && main.innerText.includes(words) && main.lastElementChild.className === "ai";
    }, edits, { timeout: SECONDS });
  }
  await page.waitForFunction(() => [...document.images].every((one) => one.complete), null, { timeout: SECONDS });
  await page.waitForTimeout(500);
  const pictures = await page.evaluate(() => [...document.images].map((one) => `${one.alt}: ${one.naturalWidth} x ${one.naturalHeight}`));
  const paused = await page.evaluate(() => document.querySelector("main").dataset.paused);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  console.log(`${name}: ${await page.locator("section").count()} messages, paused: ${paused}, pictures: ${pictures.join("; ") || "none"}`);
  if (streamed) {
    const held = await page.evaluate(() => window.held);
    await page.evaluate((html) => { document.body.innerHTML = html; }, held || "<p>No thought was seen.</p>");
    await page.screenshot({ path: `${folder}/${name}-on-its-way.png`, fullPage: true });
  }
  await page.close();
}
await window_.close();
