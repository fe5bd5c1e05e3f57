// Hooks for traces: the engine says when a pass begins and ends and which calls it made, whoever listens turns that into spans: otlp/ does,
// without a tracing library.

export interface Span {
  event(name: string, attributes: Readonly<Record<string, string | number>>): void
  /** `error` is the reason of the trouble, when there was one. */
  end(error?: string): void
}

export interface Tracer {
  start(name: string, attributes: Readonly<Record<string, string | number>>): Span
}

export const noTracer: Tracer = { start: () => ({ event: () => {}, end: () => {} }) }
