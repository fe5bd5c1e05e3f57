// Single messages in place of HTTP: what a name server takes, over UDP and over TCP on one port.

export type MessageRoad = 'udp' | 'tcp'

/** `undefined` sends nothing back: to what is no question, an answer would only feed a loop. */
export type AnswerMessage = (message: Uint8Array, road: MessageRoad) => Uint8Array | undefined

export interface MessageListener {
  readonly host: string
  /** The port, which is the same for UDP and TCP. */
  readonly port: number
  close(): Promise<void>
}

export interface MessageNet {
  /** Port 0 takes one that is free for both roads. */
  listen(options: { readonly host?: string; readonly port?: number }, answer: AnswerMessage): Promise<MessageListener>
}
