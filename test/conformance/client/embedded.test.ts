import { createApiServer } from '#apiserver'
import { systemNet } from '#base'
import { registerClientSuite } from './suite.ts'

registerClientSuite(
  'our client on the embedded API server',
  async () => {
    const server = createApiServer({ net: systemNet })
    const listener = await server.listen()
    return {
      kubeconfig: server.kubeconfig(),
      port: listener.port,
      compact: revision => Promise.resolve(server.faults.compact(Number(revision))),
      close: () => server.close(),
    }
  },
  {
    metadataAlone: 'the embedded server still gives whole objects where metadata alone is asked for',
  },
)
