// Under which name, or by which word, a consumer of a remote identity is started: told before anything of the other commands is loaded.

/** The programs that they stand in for. */
const kindsByName: ReadonlyMap<string, ConsumerKind> = new Map([
  ['aws-remote-irsa-credential-process', 'credential-process'],
  ['aws-irsa-sidecar', 'sidecar'],
])

export type ConsumerKind = 'credential-process' | 'sidecar'

export interface StartedConsumer {
  readonly kind: ConsumerKind
  readonly args: readonly string[]
  /** The words by which it was started: what its help calls it. */
  readonly called: string
  /** As the program of another project, whose ends are kept to the letter. */
  readonly standsIn: boolean
}

export function startedConsumer([, path = '', ...rest]: readonly string[]): StartedConsumer | undefined {
  const name = (path.split('/').at(-1) ?? '').replace(/\.[cm]?js$/, '')
  const byName = kindsByName.get(name)
  if (byName !== undefined) return { kind: byName, args: rest, called: name, standsIn: true }
  const [command, ...args] = rest
  const kind = [...kindsByName.values()].find(one => one === command)
  return kind === undefined ? undefined : { kind, args, called: `vouch ${kind}`, standsIn: false }
}
