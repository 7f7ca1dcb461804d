/** How servers say that a conversation does not fit into the context window. */
const OVERFLOW_TEXTS: readonly RegExp[] = [
  /maximum context length/i, // OpenAI, vLLM, SGLang, OpenRouter, Mistral
  /context_length_exceeded/i, // OpenAI, as a code
  /exceed_context_size_error|exceeds? the available context size/i, // llama-server
  /longer than the (maximum )?model('s context)? length/i, // vLLM by ids, SGLang
  /max_tokens must be at least 1, got (0|-\d)/i, // vLLM: the prompt fills the window
  /(input|prompt|request|context)( token)?( length| size)? exceeds? (the )?(model'?s? )?(maximum )?context/i, // Ollama, LM Studio
  /exceeds? (the )?(model'?s? )?context (window|length|size)/i,
  /prompt is too long|input is too long/i, // Anthropic, Bedrock
  /exceeds the maximum number of tokens/i, // Gemini
  /inputs?`? tokens \+ `?max_new_tokens`? must be <=/i, // TGI, Together
  /reduce the length of the (messages|prompt|input)/i, // Groq, and older OpenAI
];

/** True: the conversation is too long for the model, whatever the status said. */
export function isContextOverflow(text: string): boolean {
  return OVERFLOW_TEXTS.some((pattern) => pattern.test(text));
}
