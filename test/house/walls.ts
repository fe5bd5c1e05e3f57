// The walls of the house as data: which room may import which. The test beside it reads every import and names the line that climbs over.

export interface Room {
  /** Folder, from the top of the checkout. The longest that fits a file is its room. */
  readonly folder: string
  /** Names of rooms whose front doors it may use; `operators/api` are the kinds of operators without the operators. */
  readonly mayImport: readonly string[]
}

export const rooms: Readonly<Record<string, Room>> = {
  base: { folder: 'src/base', mayImport: [] },
  kube: { folder: 'src/kube', mayImport: ['base'] },
  'kube/client': { folder: 'src/kube/client', mayImport: ['base', 'kube'] },
  aws: { folder: 'src/aws', mayImport: ['base'] },
  'aws/client': { folder: 'src/aws/client', mayImport: ['base', 'aws'] },
  schema: { folder: 'src/schema', mayImport: ['base', 'kube'] },
  runtime: { folder: 'src/runtime', mayImport: ['base', 'kube', 'kube/client'] },
  fleet: { folder: 'src/fleet', mayImport: ['base', 'kube', 'kube/client', 'runtime'] },
  cloud: { folder: 'src/cloud', mayImport: ['base', 'aws', 'aws/client', 'runtime'] },
  manifests: { folder: 'src/manifests', mayImport: ['base', 'kube', 'aws', 'runtime'] },
  operators: {
    folder: 'src/operators',
    mayImport: ['base', 'kube', 'kube/client', 'aws', 'aws/client', 'schema', 'runtime', 'fleet', 'cloud'],
  },
  credentials: {
    folder: 'src/credentials',
    mayImport: ['base', 'kube', 'kube/client', 'aws', 'aws/client', 'fleet', 'operators/api'],
  },
  apiserver: { folder: 'src/apiserver', mayImport: ['base', 'kube', 'schema'] },
  emulator: { folder: 'src/emulator', mayImport: ['base', 'aws'] },
  entra: { folder: 'src/entra', mayImport: ['base'] },
  simulator: {
    folder: 'src/simulator',
    mayImport: ['base', 'kube', 'kube/client', 'aws', 'aws/client', 'schema', 'runtime', 'apiserver', 'emulator'],
  },
  crdgen: { folder: 'src/crdgen', mayImport: ['base', 'kube', 'aws', 'schema'] },
  cli: {
    folder: 'src/cli',
    mayImport: [
      'base',
      'kube',
      'kube/client',
      'aws',
      'aws/client',
      'schema',
      'runtime',
      'fleet',
      'cloud',
      'manifests',
      'apiserver',
      'emulator',
      'entra',
      'simulator',
      'crdgen',
      'credentials',
      'operators',
    ],
  },
}

/** Rooms that tests may use wherever they stand: the worlds they run in, and the wire to them. */
export const roomsForTests: readonly string[] = ['apiserver', 'emulator', 'entra', 'kube/client']
