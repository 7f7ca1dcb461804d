// A model behind any OpenAI-compatible endpoint, and whether it is there.
export type { CheckOptions } from './check-open-ai-model.ts';
export { checkOpenAiModel } from './check-open-ai-model.ts';
export { createOpenAiModel } from './create-open-ai-model.ts';
export type { TokenPrice, TokenPriceTable } from './create-price-table.ts';
// What its tokens cost.
export { createPriceTable } from './create-price-table.ts';
export type { OpenAiModelSettings } from './settings.ts';
