/** Names that stand for others, in every catalog: composites, and what older configurations say. */
export const STANDARD_INCLUDES: Readonly<Record<string, readonly string[]>> = {
  debugging: ['terminal', 'web', 'file'],
  safe: ['web', 'vision', 'image_gen'],
  terminal_tools: ['terminal'],
  file_tools: ['file'],
  web_tools: ['web'],
  browser_tools: ['browser'],
  vision_tools: ['vision'],
  image_tools: ['image_gen'],
  moa_tools: ['moa'],
  skills_tools: ['skills'],
  cronjob_tools: ['cronjob'],
  rl_tools: ['rl'],
  tts_tools: ['tts'],
};

const OLDER_NAMES: ReadonlySet<string> = new Set(
  [
    'web search terminal file browser vision image_gen moa skills cronjob messaging rl tts todo memory',
    'session_search clarify code_execution delegation homeassistant',
  ].flatMap((line) => line.split(' ')),
);
/** All tools of one front end: `hermes-cli`, `hermes-telegram` and so on. */
const FRONT_END = /^hermes-[a-z0-9_-]+$/;

/** Do older configurations use the name? It is fine to mention, whether or not it can be opened here. */
export function isKnownToolset(name: string): boolean {
  return OLDER_NAMES.has(name) || FRONT_END.test(name);
}

/** The names to choose from when one is not known. */
export const SUGGESTED_TOOLSETS: readonly string[] = [...OLDER_NAMES];

/** Percentages with which each toolset is drawn, independently of the others. */
export const DISTRIBUTIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  default: {
    web: 100,
    vision: 100,
    image_gen: 100,
    terminal: 100,
    file: 100,
    moa: 100,
    browser: 100,
  },
  image_gen: { image_gen: 90, vision: 90, web: 55, terminal: 45, moa: 10 },
  research: { web: 90, browser: 70, vision: 50, moa: 40, terminal: 10 },
  science: { web: 94, terminal: 94, file: 94, vision: 65, browser: 50, image_gen: 15, moa: 10 },
  development: { terminal: 80, file: 80, moa: 60, web: 30, vision: 10 },
  safe: { web: 80, browser: 70, vision: 60, image_gen: 60, moa: 50 },
  balanced: { web: 50, vision: 50, image_gen: 50, terminal: 50, file: 50, moa: 50, browser: 50 },
  minimal: { web: 100 },
  terminal_only: { terminal: 100, file: 100 },
  terminal_web: { terminal: 100, file: 100, web: 100 },
  creative: { image_gen: 90, vision: 90, web: 30 },
  reasoning: { moa: 90, web: 30, terminal: 20 },
  browser_use: { browser: 100, web: 80, vision: 70 },
  browser_only: { browser: 100 },
  browser_tasks: { browser: 97, vision: 12, terminal: 15 },
  terminal_tasks: { terminal: 97, file: 97, web: 97, browser: 75, vision: 50, image_gen: 10 },
  mixed_tasks: { browser: 92, terminal: 92, file: 92, web: 35, vision: 15, image_gen: 15 },
};
