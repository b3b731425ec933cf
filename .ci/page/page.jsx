// A chat over a served graph that draws what any page draws: the text of messages, as Markdown.
import { createRoot } from "react-dom/client";
import { useStream } from "@langchain/langgraph-sdk/react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

const params = new URLSearchParams(location.search);

function textOf(content) {
  if (typeof content === "string") return content;
  return content.filter((part) => part.type === "text").map((part) => part.text).join("\n\n");
}

function Chat() {
  const stream = useStream({ apiUrl: params.get("api"), assistantId: "chat", messagesKey: "messages", fetchStateHistory: true });
  const ways = { context: { interactive: true }, streamMode: ["messages-tuple", "values"], streamSubgraphs: true };
  window.send = (text) => stream.submit({ messages: [{ type: "human", content: text }] }, ways);
  // The last message of the person in other words: the thread forks where that message came in.
  window.edit = (text) => {
    const last = stream.messages.findLast((one) => one.type === "human");
    const checkpoint = stream.getMessagesMetadata(last)?.firstSeenState?.parent_checkpoint;
    return stream.submit({ messages: [{ type: "human", content: text, id: last.id }] }, { ...ways, checkpoint });
  };
  return (
    <main data-busy={stream.isLoading} data-paused={Boolean(stream.interrupt)}>
      {stream.messages.map((message, place) => (
        <section key={message.id ?? place} data-id={message.id} className={message.type}>
          <Markdown remarkPlugins={[remarkGfm]}>{textOf(message.content)}</Markdown>
        </section>
      ))}
      {stream.error ? <pre>{String(stream.error)}</pre> : null}
    </main>
  );
}

createRoot(document.getElementById("root")).render(<Chat />);
