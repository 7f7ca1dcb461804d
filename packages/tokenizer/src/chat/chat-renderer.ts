import type { RenderedPrompt, RenderRequest } from '@hermes/protocol';
import { LocatedText } from '../locate-tokens.ts';
import { ChatTemplate } from '../template/chat-template.ts';
import type { Environment } from '../template/environment.ts';
import type { Output } from '../template/output.ts';
import type { Value } from '../template/values.ts';
import { type TextTokenizer, wellFormed } from '../text-tokenizer.ts';
import { chatVariables } from './chat-variables.ts';
import { messageSpans } from './message-spans.ts';
import { chosenTemplate, type TemplateSources } from './template-sources.ts';

/** Renders conversations through the chat template of a tokenizer. */
export class ChatRenderer {
  private readonly tokenizer: TextTokenizer;
  private readonly sources: TemplateSources;
  private readonly environment: Environment;
  private readonly templates = new Map<string, ChatTemplate>();

  constructor(tokenizer: TextTokenizer, sources: TemplateSources, environment: Environment) {
    this.tokenizer = tokenizer;
    this.sources = sources;
    this.environment = environment;
  }

  get hasTemplate(): boolean {
    return this.sources.size > 0;
  }

  /** Ids and spans are computed when they are asked for. */
  render(request: RenderRequest): RenderedPrompt {
    const { output, messages } = this.run(request);
    const text = wellFormed(output.text());
    const ids = once(() => this.tokenizer.encode(text));
    const spans = once(() =>
      messageSpans({
        request,
        text,
        generated: output.generated,
        written: messages.map((message) => output.written.get(message) ?? null),
        located: new LocatedText(this.tokenizer.pipeline, text),
        renderText: (other) => wellFormed(this.run(other).output.text()),
        specialTokens: [...this.tokenizer.specialTokens.keys()],
      }),
    );
    return {
      text,
      get ids() {
        return ids();
      },
      get spans() {
        return spans();
      },
    };
  }

  private run(request: RenderRequest): Readonly<{ output: Output; messages: readonly Value[] }> {
    const { variables, messages } = chatVariables(request, this.tokenizer.named);
    const template = this.template(request.tools !== undefined);
    return { output: template.render(variables, messages), messages };
  }

  private template(hasTools: boolean): ChatTemplate {
    const source = chosenTemplate(this.sources, hasTools);
    const known = this.templates.get(source);
    if (known !== undefined) return known;
    const template = new ChatTemplate(source, this.environment);
    this.templates.set(source, template);
    return template;
  }
}

/** Computes at the first call, and keeps the result. */
function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | null = null;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}
