// ListeningPorts and addresses as flags name them.
import { FlagError, type FlagValues } from '#base'

export interface ListenAddress {
  /** Empty: all addresses. */
  readonly host: string
  readonly port: number
}

export function portOf(flags: FlagValues, name: string): number {
  const port = Number(flags.integer(name))
  if (port < 0 || port > 65_535) throw new FlagError(`--${name} is a port from 0 to 65535, not ${port}`)
  return port
}

/** `host:port` or `:port`; nothing for nothing. */
export function addressOf(flag: string, text: string): ListenAddress | undefined {
  if (text === '') return undefined
  const match = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (match === null || port > 65_535) throw new FlagError(`${flag} is host:port or :port, not ${text}`)
  return { host: match[1] ?? match[2] ?? '', port }
}
