// Recognises the names and words by which a webhook is started, before anything of the other commands is loaded.

/** The programs that they stand in for, and what the one for both calls itself. */
export const webhookProgramName = 'aws-pod-identity-webhook'
export const azureWebhookName = 'azure-workload-identity-webhook'
export const bothWebhooksName = 'identity-webhook'

export type WebhookKind = 'aws' | 'azure' | 'both'

export interface StartedWebhook {
  readonly kind: WebhookKind
  readonly flags: readonly string[]
  /** The words by which it was started: what its help and its refusals call it. */
  readonly called: string
}

const kindsByName: Readonly<Record<string, WebhookKind>> = { [webhookProgramName]: 'aws', [azureWebhookName]: 'azure' }
const kinds: ReadonlyMap<string, WebhookKind> = new Map((['aws', 'azure', 'both'] as const).map(kind => [kind, kind]))

/** The webhook that was started, by its name or as `vouch webhook aws`, and its flags. */
export function startedWebhook([, path = '', ...rest]: readonly string[]): StartedWebhook | undefined {
  const name = (path.split('/').at(-1) ?? '').replace(/\.[cm]?js$/, '')
  const kind = Object.hasOwn(kindsByName, name) ? kindsByName[name] : undefined
  if (kind !== undefined) return { kind, flags: rest, called: name }
  const [command, provider = '', ...flags] = rest
  const asked = command === 'webhook' ? kinds.get(provider) : undefined
  if (asked === undefined) return undefined
  return { kind: asked, flags: flags[0] === '--' ? flags.slice(1) : flags, called: `vouch webhook ${asked}` }
}
