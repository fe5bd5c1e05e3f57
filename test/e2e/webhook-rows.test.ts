// The rows of §8.3 with the embedded API server, over sockets and TLS as with a real one.
import { after } from 'node:test'
import { createApiServer } from '#apiserver'
import { systemNet } from '#base'
import { webhookRowsHold } from './webhook-rows.ts'
import type { RowsServer } from './webhook-rows-world.ts'

const server = createApiServer({ seed: 1, controllers: 'none', net: systemNet })
let listening: Promise<RowsServer> | undefined

webhookRowsHold('the embedded API server', () => (listening ??= listen()))

async function listen(): Promise<RowsServer> {
  const { port } = await server.listen()
  return {
    address: `https://127.0.0.1:${port}`,
    ca: server.ca,
    adminToken: server.adminToken,
    compact: () => {
      server.faults.compact()
      return Promise.resolve()
    },
  }
}

after(() => server.close())
