// Talks to the page in a browser without a window, and takes a picture of each scene of it.
import { chromium } from "playwright-core";

const [address, browser, folder, told] = process.argv.slice(2);
const SECONDS = 120_000;
const window_ = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });

for (const { name, says, streamed } of JSON.parse(told)) {
  const page = await window_.newPage({ viewport: { width: 920, height: 700 } });
  page.on("pageerror", (error) => console.log(`${name}: the page failed: ${error.message}`));
  page.on("requestfailed", (one) => one.resourceType() === "image" && console.log(`${name}: not loaded: ${one.url()} ${one.failure()?.errorText}`));
  await page.goto(address);
  await page.waitForFunction(() => window.send);
  for (const [place, text] of says.entries()) {
    const before = await page.locator("section").count();
    await page.evaluate((words) => void window.send(words), text);
    if (streamed && place === says.length - 1) {
      await page.waitForFunction(
        (count) => document.querySelectorAll("section.ai").length && document.querySelectorAll("section").length > count + 1,
        before, { timeout: SECONDS });
      await page.screenshot({ path: `${folder}/${name}-on-its-way.png`, fullPage: true });
    }
    await page.waitForFunction(
      (count) => {
        const done = document.querySelector("main").dataset.busy === "false";
        return done && document.querySelectorAll("section").length > count;
      },
      before, { timeout: SECONDS });
  }
  await page.waitForFunction(() => [...document.images].every((one) => one.complete), null, { timeout: SECONDS });
  await page.waitForTimeout(500);
  const pictures = await page.evaluate(() => [...document.images].map((one) => `${one.alt}: ${one.naturalWidth} x ${one.naturalHeight}`));
  const paused = await page.evaluate(() => document.querySelector("main").dataset.paused);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  console.log(`${name}: ${await page.locator("section").count()} messages, paused: ${paused}, pictures: ${pictures.join("; ") || "none"}`);
  await page.close();
}
await window_.close();
