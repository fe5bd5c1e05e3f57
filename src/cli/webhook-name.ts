// Under which name, or by which words, the AWS webhook is started: told before anything of the other commands is loaded.

/** The program that it stands in for. */
export const webhookProgramName = 'aws-pod-identity-webhook'

/** The flags of the webhook when it is what was started, by its name or as `vouch webhook aws`. */
export function webhookArguments([, path = '', ...rest]: readonly string[]): readonly string[] | undefined {
  if (isNamedSo(path)) return rest
  const [command, provider, ...flags] = rest
  if (command !== 'webhook' || provider !== 'aws') return undefined
  return flags[0] === '--' ? flags.slice(1) : flags
}

/** The words by which it was started: what its help and its refusals call it. */
export function webhookStartedAs([, path = '']: readonly string[]): string {
  return isNamedSo(path) ? webhookProgramName : 'vouch webhook aws'
}

function isNamedSo(path: string): boolean {
  const [name = ''] = path.split('/').slice(-1)
  return name.replace(/\.[cm]?js$/, '') === webhookProgramName
}
