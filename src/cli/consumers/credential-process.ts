// `vouch credential-process`: credentials of a ServiceAccount in another cluster for any program that reads `credential_process` from its
// AWS configuration. It asks once, prints one line and ends: who called it keeps what it said until it is about to end.
import { tell } from '../frame/print.ts'
import type { Consumer } from './consumer.ts'

export const credentialProcess: Consumer = {
  vagueTrouble: 'remote IRSA credential_process failed',
  run: async ({ args }) => {
    const { openRemoteProvider, readProcessFlags, renderCredentials } = await import('#credentials')
    const { systemSeams } = await import('#base')
    const provider = openRemoteProvider(systemSeams(process.env), readProcessFlags(args))
    tell(renderCredentials(await provider.retrieve()))
    return 'done'
  },
}
