// Where a real kube-apiserver asks a node for the log of a container.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HttpListener, systemNet } from '#base'
import type { RunningNode } from '../../../src/cli/dev/node/index.ts'

/** With the certificate that kube-apiserver made for itself: it is told to trust no authority in particular. */
export function serveLogs(node: RunningNode, folder: string): Promise<HttpListener> {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const tls = { certificate: read('apiserver.crt'), key: read('apiserver.key') }
  return systemNet.listen({ host: '127.0.0.1', port: 0, tls }, async ({ target }) => {
    const { pathname, searchParams } = new URL(target, 'https://node')
    const [, route, namespace = '', name = '', container = ''] = pathname.split('/')
    const log = route === 'containerLogs' ? node.logOf({ namespace, name }, container) : undefined
    if (log === undefined) return { status: 404, headers: {}, body: Buffer.from('no such container') }
    const lines = Number(searchParams.get('tailLines') ?? Number.POSITIVE_INFINITY)
    const all = log.split(/(?<=\n)/)
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(all.slice(-lines).join('')) }
  })
}
