// Hooks for traces: the engine says when a pass begins and ends and which calls it made, whoever listens turns that into spans. No
// tracing library is loaded for it; `@opentelemetry/api` fits behind this interface in ten lines.

export interface Span {
  event(name: string, attributes: Readonly<Record<string, string | number>>): void
  /** `error` is the reason of the trouble, when there was one. */
  end(error?: string): void
}

export interface Tracer {
  start(name: string, attributes: Readonly<Record<string, string | number>>): Span
}

export const noTracer: Tracer = { start: () => ({ event: () => {}, end: () => {} }) }
