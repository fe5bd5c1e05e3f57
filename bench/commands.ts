// The flags of each benchmark, by its name: `npm run bench -- NAME --help` prints them, and what is misspelt is refused before anything is measured.
import type { CommandShape } from '../scripts/flags/flags.ts'

type Row = Omit<CommandShape, 'command'>

const seconds = { value: 'N', help: 'how long each part is measured' } as const
const only = { value: 'PART', help: 'this part alone' } as const

const rows: Readonly<Record<string, Row>> = {
  apiserver: {
    does: 'The embedded API server beside kube-apiserver with etcd, by the same load generator over TLS.',
    flags: {
      seconds: { ...seconds, default: '1' },
      warm: { value: 'N', help: 'seconds of creates before those that are called warm', default: '5' },
      creates: { help: 'creates alone' },
      full: { help: 'go on to 100,000 objects: minutes for the real pair' },
    },
  },
  certificates: {
    does: 'What the certificate operator takes.',
    flags: {
      small: { help: 'everything in seconds, with fewer Certs' },
      only: { value: 'one|many|calls|restart|memory', help: 'this part alone' },
    },
  },
  client: { does: 'Our Kubernetes client beside the official one, against a stub.', words: '[OBJECTS] [EVENTS]', flags: {} },
  crash: { does: 'How long nobody leads after the leader was killed.', words: '[KILLS]', flags: {} },
  dns: {
    does: 'What an ExternalDNS takes from nothing to Available, at rest and after a restart.',
    flags: {
      objects: { value: 'N', help: 'so many ExternalDNS', default: '200' },
      zones: { value: 'N', help: 'zones', default: '10' },
    },
  },
  emulator: { does: 'Calls a second of the AWS emulator beside moto and an empty server.', words: '[MOTO_URL]', flags: {} },
  engine: { does: 'The engine beside the official JavaScript client.', flags: { quick: { help: 'one run instead of three' } } },
  fleet: {
    does: 'A ReplicaSet for each binding over many clusters: until all are Ready by each strategy, writes, a change, a restart, one away, memory.',
    flags: {
      clusters: { value: 'N,N', help: 'sizes of the fleet, one after the other', default: '10,100' },
      bindings: { value: 'N', help: 'ReplicaSets', default: '10' },
      memory: { help: 'only what a quiet cluster costs, between two sizes' },
      'self-hosted': { help: 'clusters with an issuer and a webhook of ours instead of EKS' },
    },
  },
  hosted: {
    does: 'Many hosted control planes by one operator: until all are in place, writes, rest, memory.',
    words: '[PLANES]',
    flags: {},
  },
  identity: {
    does: 'What a binding takes, one at a time and many at once; a restart; memory; a day at rest.',
    flags: {
      bindings: { value: 'N,N', help: 'how many at once', default: '100,300,1000' },
      direct: { help: 'by calls of our own alone' },
      children: { help: 'by child objects alone' },
      real: { help: 'on two kube-apiservers with etcd' },
      existing: { value: 'N', help: 'a start over so many that are there' },
      day: { value: 'N', help: 'a day at rest', bare: true },
      budget: { help: 'where the time goes' },
      full: { help: 'all of it with 10,000 bindings, on both servers: half an hour' },
    },
  },
  infer: { does: 'From the bytes of a model to everything that `vouch infer` writes.', words: '[SERVICE...]', flags: {} },
  resources: {
    does: 'Roles with a managed policy each, from their creation to Ready; what that takes of AWS and of the API server.',
    words: '[COUNT...]',
    flags: {
      full: { help: '1,000 and 10,000 Roles' },
      others: { value: 'N', help: 'objects of other kinds' },
      only: { value: 'PART', help: 'roles, limited, services or others; several times for several', many: true },
    },
  },
  webhook: {
    does: 'The pod webhooks, each on one core over TLS, beside a plain Go webhook.',
    flags: { starts: { help: 'how fast they start, and no more' } },
  },
  'webhook-attacks': {
    does: 'One client that means harm, while an API server goes on asking.',
    flags: { seconds: { ...seconds, default: '15' }, only },
  },
  'webhook-limits': { does: 'What must not happen: rows B-07 to B-16.', flags: { seconds: { ...seconds, default: '8' }, only } },
  'webhook-roleless': {
    does: 'Pods whose ServiceAccount has no role, by four programs.',
    flags: {
      seconds: { ...seconds, default: '3' },
      rounds: { value: 'N', help: 'rounds, of which the best counts', default: '4' },
    },
  },
}

export const benches: ReadonlyMap<string, CommandShape> = new Map(
  Object.entries(rows).map(([name, row]) => [name, { ...row, command: `npm run bench -- ${name}` }]),
)
