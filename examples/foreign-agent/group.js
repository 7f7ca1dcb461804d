/** Makes what a trainer learns from of the sessions that an agent left at a gateway, and the rewards of each. */
export async function groupOf(gatewayUrl, rewards) {
  const sequences = [];
  for (const [session, reward] of Object.entries(rewards))
    for (const node of await nodesOf(gatewayUrl, session)) sequences.push({ ...node, reward });
  return {
    tokens: sequences.map(({ tokens }) => tokens),
    masks: sequences.map(({ masked_tokens: masks }) => masks),
    inference_logprobs: sequences.map(({ logprobs }) => logprobs),
    scores: sequences.map(({ reward }) => reward),
  };
}

/** One node is one run of tokens: an agent that rewrites its history has several. */
async function nodesOf(gatewayUrl, session) {
  const response = await fetch(`${gatewayUrl}/${session}/nodes`);
  if (!response.ok) throw new Error(`${session}: ${await response.text()}`);
  const { nodes } = await response.json();
  await fetch(`${gatewayUrl}/${session}`, { method: 'DELETE' });
  return nodes;
}
