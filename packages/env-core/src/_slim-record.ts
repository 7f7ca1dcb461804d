import type { AgentResult, RolloutRecord } from '@hermes/protocol';

/** A record without messages and token segments: what metrics need, small enough to keep thousands. */
export function slimRecord(record: RolloutRecord): RolloutRecord {
  const agent = record.agent && slimAgent(record.agent);
  return { ...record, agent, segments: [] };
}

function slimAgent(agent: AgentResult): AgentResult {
  const children = agent.children.map((child) => ({ ...child, result: slimAgent(child.result) }));
  return { ...agent, messages: [], toolErrors: [], children };
}
