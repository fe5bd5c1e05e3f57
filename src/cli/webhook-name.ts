// Under which name, or by which words, the AWS webhook is started: told before anything of the other commands is loaded.

/** The program that it stands in for. */
export const webhookProgramName = 'aws-pod-identity-webhook'

/** The flags of the webhook when it is what was started, by its name or as `vouch webhook aws`. */
export function webhookArguments([, path = '', ...rest]: readonly string[]): readonly string[] | undefined {
  const name = path
    .split('/')
    .at(-1)
    ?.replace(/\.[cm]?js$/, '')
  if (name === webhookProgramName) return rest
  const [command, provider, ...flags] = rest
  if (command !== 'webhook' || provider !== 'aws') return undefined
  return flags[0] === '--' ? flags.slice(1) : flags
}
