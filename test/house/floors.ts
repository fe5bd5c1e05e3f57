// The floors of the large rooms as data: which folder of a room may import which, types included, and which circles of types are left.
// The test beside it reads every import.

export interface Floors {
  readonly folder: string
  /** Files at the top of the room that any floor may import. They import each other only. */
  readonly ground: readonly string[]
  /** Folders from the ground up: each may import the ground and those named beside it, which all stand above it in this list. */
  readonly floors: Readonly<Record<string, readonly string[]>>
}

/** Files at the top of a room that are no ground stand on its roof: they may import everything, and no floor imports them. */
export const roomsWithFloors: Readonly<Record<string, Floors>> = {
  schema: {
    folder: 'src/schema',
    ground: [
      'field-error.ts',
      'formats.ts',
      'go-quote.ts',
      'go-text.ts',
      'json-words.ts',
      'ip.ts',
      'json.ts',
      'kind-schema.ts',
      'quantity.ts',
      'shape.ts',
    ],
    floors: {
      pattern: [],
      cel: ['pattern'],
      apply: [],
      strategic: [],
      builtin: [],
      node: ['apply', 'builtin', 'pattern'],
      rules: ['cel', 'node'],
      structural: ['builtin', 'node', 'pattern', 'rules'],
      definition: ['cel', 'node', 'pattern', 'rules', 'structural'],
      kinds: ['builtin', 'cel', 'definition'],
    },
  },
  apiserver: {
    folder: 'src/apiserver',
    ground: ['draft.ts', 'emulated-version.ts', 'fault.ts', 'refusals.ts', 'scheduler.ts', 'timestamp.ts', 'users.ts'],
    floors: {
      text: [],
      protobuf: [],
      pki: [],
      store: ['text'],
      registry: ['store'],
      callouts: ['store'],
      tables: ['registry'],
      http: ['registry', 'store', 'text'],
      metadata: ['registry'],
      auth: ['http', 'store'],
      tokens: ['auth', 'pki', 'store'],
      journal: ['pki', 'store', 'text', 'tokens'],
      discovery: ['http', 'registry'],
      openapi: ['http', 'registry'],
      faults: ['http', 'registry', 'store'],
      conversion: ['callouts', 'metadata', 'registry', 'store', 'text'],
      admission: ['auth', 'callouts', 'conversion', 'registry', 'store'],
      verbs: ['admission', 'conversion', 'http', 'metadata', 'protobuf', 'registry', 'store', 'text'],
      subresources: ['auth', 'http', 'metadata', 'registry', 'store', 'tokens', 'verbs'],
      watch: ['conversion', 'faults', 'http', 'registry', 'store', 'text', 'verbs'],
      serving: [
        'discovery',
        'faults',
        'http',
        'journal',
        'openapi',
        'registry',
        'store',
        'subresources',
        'tables',
        'text',
        'tokens',
        'verbs',
        'watch',
      ],
      controllers: ['admission', 'auth', 'http', 'registry', 'store', 'subresources', 'text', 'verbs', 'watch'],
    },
  },
}

export interface Stages {
  readonly folder: string
  /** Folders that hold types only: no function, no class, no value. */
  readonly typesOnly: readonly string[]
  /** Folders and files that a stage may not import, not even for a type. */
  readonly apart: Readonly<Record<string, readonly string[]>>
  /** What a stage may not lead to however far its imports are followed, where they count at run time. */
  readonly outOfReach: Readonly<Record<string, readonly string[]>>
  /** With how many files of the room a stage is understood: its own, and all that they lead to at run time. These only go down. */
  readonly filesReached: Readonly<Record<string, number>>
}

/** A pass has stages. Whoever judges takes what was seen as values, and reaches nobody who looks, acts or tells. */
export const roomsWithStages: readonly Stages[] = [
  {
    folder: 'src/operators/resources',
    typesOnly: ['seen'],
    apart: {
      seen: ['observe', 'ownership', 'decide', 'act', 'report', 'memory.ts'],
      observe: ['decide', 'act', 'report', 'memory.ts'],
      ownership: ['act', 'report', 'memory.ts'],
      decide: ['observe', 'act', 'memory.ts', 'aws-caller.ts'],
      act: ['observe', 'ownership', 'report'],
      report: ['observe', 'act', 'memory.ts'],
    },
    outOfReach: {
      observe: ['decide', 'act', 'report', 'memory.ts'],
      ownership: ['observe', 'decide', 'act', 'report', 'memory.ts', 'aws-caller.ts'],
      decide: ['observe', 'act', 'memory.ts', 'aws-caller.ts', 'secrets/secrets.ts', 'secrets/secret-watch.ts'],
      act: ['observe', 'ownership', 'decide', 'report'],
      report: ['observe', 'act', 'memory.ts', 'aws-caller.ts', 'secrets/secrets.ts'],
    },
    filesReached: { observe: 59, decide: 62, act: 10, report: 32 },
  },
]

/**
 * How many files of a room stand in a circle of imports when types count, which is a knot that nobody can take a part of. The numbers
 * only go down: who unties one lowers it here. A room that is not named has none.
 */
export const filesInTypeCircles: Readonly<Record<string, number>> = {
  simulator: 2,
}
