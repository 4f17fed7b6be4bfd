// The steps of steps.py for clients in JavaScript; what came of each is printed as a line of JSON.
import { createInterface } from 'node:readline';

const PICTURE_CHARACTERS = 1000;

/** Say that a step succeeded, or add a note. */
export function report(step, saw = '') {
  process.stdout.write(JSON.stringify({ step, saw }) + '\n');
}

/** Fail the step with what was seen instead, unless it holds. */
export function expect(holds, saw) {
  if (!holds) throw new Error(saw);
}

/** Read a result of a tool, or the parts that an AI SDK makes of it. */
export function answer(parts) {
  const text = parts.filter((part) => part.type === 'text').map((part) => part.text).join('\n');
  const pictures = parts.filter((part) => (part.data?.data ?? part.data)?.length > PICTURE_CHARACTERS);
  return { text, pictures: pictures.length };
}

/** Use the browser through a connected client, whose driver has reported that it is. */
export async function walk(task, tools, call) {
  expect(['navigate_page', 'take_snapshot', 'click', 'take_screenshot'].every((name) => tools.includes(name)), 'no tools');
  report('tools', String(tools.length));
  await call('navigate_page', { url: task.page });
  report('navigate');
  let seen = (await call('take_snapshot')).text;
  expect(seen.includes(task.heading), seen);
  report('snapshot');
  const [, uid] = /uid=(\w+) button/.exec(seen);
  await call('click', { uid });
  seen = (await call('take_snapshot')).text;
  expect(seen.includes(`Pressed: ${task.heading}`), seen);
  report('click');
  const { pictures, text } = await call('take_screenshot');
  expect(pictures === 1, `${pictures} pictures: ${text}`);
  report('picture');
  if (task.hold) {
    report('hold');
    await once(process.stdin);
    report('pages', (await call('list_pages')).text);
  }
}

/** Drive a client as the runner says; what fails is the last line. */
export async function run(drive) {
  try {
    await drive(JSON.parse(process.argv[2]));
  } catch (error) {
    process.stdout.write(JSON.stringify({ error: String(error) }) + '\n');
    process.exitCode = 1;
  }
}

/** Wait for a line. */
function once(input) {
  const lines = createInterface({ input });
  return new Promise((resolve) => lines.once('line', resolve)).finally(() => lines.close());
}
