import OpenAI from 'openai';

const command = { type: 'object', properties: { command: { type: 'string' } } };
const tools = [{ type: 'function' as const, function: { name: 'terminal', parameters: command } }];
const MOST_TURNS = 8;

/** An agent loop as anybody would write it with the `openai` package, at a base URL. Returns how many turns it took. */
export async function playForeignAgent(baseURL: string, stream: boolean): Promise<number> {
  const client = new OpenAI({ baseURL, apiKey: 'any' });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is it?' }];
  for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
    const body = { model: 'any', messages, tools };
    const answer = stream
      ? await client.chat.completions.stream(body).finalChatCompletion()
      : await client.chat.completions.create(body);
    const message = answer.choices[0]?.message;
    if (message === undefined) throw new Error('no choice');
    messages.push(message);
    if (message.tool_calls === undefined) return turn;
    for (const { id } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: 'hello\n' });
  }
  return MOST_TURNS;
}
