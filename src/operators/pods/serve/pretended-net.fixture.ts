// A network on which nobody is: what is listened on gets the ports 1, 2 and so on in its order, and who is called answers as the test says.
import { HttpFailure, type HttpHandler, type ListenOptions, type Net, type TlsServerOptions } from '#base'

export interface PretendedNet {
  readonly net: Net
  readonly opened: readonly { readonly options: ListenOptions; readonly handler: HttpHandler }[]
  /** Listeners of this process that answer well, by origin; its others do not. */
  readonly answering: Set<string>
  /** Origins that were called. */
  readonly called: string[]
  /** What is asked of a listener by its port, in its text. */
  get(port: number, target: string): Promise<readonly [status: number, text: string]>
}

/** `onListener` is told what is done with a listener: `tls` or `close`, its port, and with what; `closing` is how long a close takes. */
export function pretendedNet(
  onListener: (done: readonly unknown[]) => void,
  closing: () => Promise<void> = () => Promise.resolve(),
): PretendedNet {
  const opened: { readonly options: ListenOptions; readonly handler: HttpHandler }[] = []
  const answering = new Set<string>()
  const called: string[] = []
  const net: Net = {
    dial: ({ origin }) => ({
      exchange: () => {
        called.push(origin)
        if (origin.startsWith('http:')) return Promise.reject(new HttpFailure('unreachable', 'nobody is there'))
        return Promise.resolve({ status: answering.has(origin) ? 200 : 503, headers: {}, body: null })
      },
      close: () => Promise.resolve(),
    }),
    listen: (options, handler) => {
      const port = opened.push({ options, handler })
      return Promise.resolve({
        host: options.host ?? '',
        port,
        setTls: (tls: TlsServerOptions) => onListener(['tls', port, tls]),
        close: (...ms: readonly number[]) => {
          onListener(['close', port, ...ms])
          return closing()
        },
      })
    },
  }
  return {
    net,
    opened,
    answering,
    called,
    get: async (port, target) => {
      const handler = opened[port - 1]?.handler
      if (handler === undefined) throw new Error(`nobody listens on port ${port}`)
      const { status, body } = await handler({ method: 'GET', target, headers: {}, body: null })
      return [status, Buffer.from(body as Uint8Array).toString()]
    },
  }
}
