import type { MessageNet } from '../seams/messages.ts'

/** The machine's own network. Node's modules are loaded when somebody listens. */
export const systemMessages: MessageNet = {
  listen: async (options, answer) => (await import('./net/listen-messages.ts')).listenForMessages(options, answer),
}
