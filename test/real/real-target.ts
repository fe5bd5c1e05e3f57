// The real kube-apiserver as a conformance target.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { HookHandler, HookReview, Target } from '../conformance/apiserver/target.ts'
import type { ControlPlane } from './control-plane.ts'

export function realTarget(plane: ControlPlane): Target {
  return {
    name: 'real',
    controllers: false,
    // kube-apiserver looks every 15 s how far etcd has forgotten, and a machine may be busy: what passes does not wait for this.
    patienceMs: 60_000,
    anonymous: plane.anonymous,
    adminToken: plane.adminToken,
    now: () => Date.now(),
    pass: ms => new Promise(resolve => setTimeout(resolve, ms)),
    compact: revision => plane.compact(revision),
    hook: handler => httpsHook(plane, handler),
    close: async () => {},
  }
}

/** On loopback with the certificate that kube-apiserver made for itself, whose names include 127.0.0.1. */
async function httpsHook(plane: ControlPlane, handler: HookHandler): ReturnType<Target['hook']> {
  const read = (name: string): string => readFileSync(join(plane.folder, name), 'utf8')
  const server = createServer({ cert: read('apiserver.crt'), key: read('apiserver.key') }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    const answer = async (): Promise<void> => {
      const body = await handler(JSON.parse(Buffer.concat(chunks).toString()) as HookReview, request.url ?? '')
      response.statusCode = body === undefined ? 500 : 200
      response.setHeader('content-type', 'application/json')
      response.end(body === undefined ? '' : JSON.stringify(body))
    }
    // A handler that fails leaves the request without an answer, which the server takes for a webhook that is down.
    request.on('end', () => void answer().catch(() => response.destroy()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    clientConfig: {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      caBundle: Buffer.from(plane.ca).toString('base64'),
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
