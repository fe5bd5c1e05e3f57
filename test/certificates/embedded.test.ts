import { after } from 'node:test'
import { createApiServer } from '#apiserver'
import { systemClock } from '#base'
import { customResourceDefinitions } from '#kube'
import { createKubeClient } from '#kube/client'
import { certificateLifecycle } from './lifecycle.ts'

const server = createApiServer({ seed: 'certificates' })
after(() => server.close())

certificateLifecycle('the embedded API server', async () => {
  await server.listen()
  const exchange = server.as()
  return {
    kubeconfig: server.kubeconfig(),
    exchange,
    address: 'hub',
    apply: async objects => {
      const admin = createKubeClient({ clock: systemClock, address: 'hub', exchange })
      for (const object of objects) await admin.create(customResourceDefinitions, object)
      await server.settle()
    },
  }
})
