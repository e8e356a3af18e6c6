// The task of a client and its report. argv[2] is the task as JSON: { stdio: { command, args } } or
// { url }, and { call, refused, cancel: { name, arguments, after_ms } }.
export const task = JSON.parse(process.argv[2]);

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// `client`: { tools(), call({ name, arguments }, signal) }.
export async function report(client) {
  const tools = await client.tools();
  const call = await client.call(task.call);
  const refused = await client.call(task.refused);
  const abort = new AbortController();
  const begun = client.call(task.cancel, abort.signal).then(
    () => 'finished',
    () => 'cancelled',
  );
  if (task.cancel.after_ms > 0) await Promise.race([begun, delay(task.cancel.after_ms)]);
  abort.abort();
  const cancelled = await begun;
  const after = await client.call(task.call);
  console.log(JSON.stringify({ tools, call, refused, cancelled, after }));
}
