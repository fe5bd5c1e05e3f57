// The bound of every server on Node's HTTP/2 over TLS: takes the body and answers the bytes of a created ConfigMap, deciding nothing. Started
// by the bench as a process of its own; says where it is.
import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { issueCertificate, systemKeys } from '#base'
import type { Endpoint } from '../load.ts'

const created = Buffer.from(
  `${JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      name: 'c0-0-1000',
      namespace: 'bench',
      uid: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
      resourceVersion: '1000',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'bench' },
      managedFields: [
        {
          manager: 'unknown',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { '.': {}, 'f:key': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } },
        },
      ],
    },
    data: { key: 'x' },
  })}\n`,
)

const header = Object.entries({
  ':status': '201',
  'audit-id': '6ba7b811-9dad-41d1-80b4-00c04fd430c8',
  'cache-control': 'no-cache, private',
  date: 'Thu, 01 Jan 2026 00:00:00 GMT',
  'content-type': 'application/json',
  'content-length': String(created.length),
  'x-kubernetes-pf-flowschema-uid': '6ba7b812-9dad-41d1-80b4-00c04fd430c8',
  'x-kubernetes-pf-prioritylevel-uid': '6ba7b814-9dad-41d1-80b4-00c04fd430c8',
}).flat()

const key = await systemKeys.generateEc()
const validity = { validFrom: Date.now() - 60_000, validUntil: Date.now() + 86_400_000, serial: Uint8Array.of(1) }
const ca = issueCertificate({ ...validity, subject: { commonName: 'bench' }, key, usage: 'ca' })
const cert = issueCertificate({
  ...validity,
  subject: { commonName: 'empty' },
  key,
  usage: 'server',
  names: { dns: ['localhost'], ips: ['127.0.0.1'] },
  issuer: { certificate: ca, key },
})

const server = createSecureServer({ key, cert })
server.on('stream', stream => {
  stream.on('error', () => {})
  setImmediate(answer, stream)
})
server.listen(0, '127.0.0.1', () => {
  const endpoint: Endpoint = {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca,
    token: 'nobody-asks-for-it',
  }
  console.log(JSON.stringify(endpoint))
})

/** The body came with the header. Its end is not read: Node makes an error with a stack for each stream of which that was read first. */
function answer(stream: ServerHttp2Stream): void {
  if (stream.readableLength > 0) stream.read(stream.readableLength)
  stream.respond(header)
  stream.end(created)
}
