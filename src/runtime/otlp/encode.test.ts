// Every field of the three messages with its number and its value, as opentelemetry-proto has them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeLogs, encodeMetrics, encodeSpans } from './encode.ts'
import { read } from './wire.fixture.ts'

type Tree = readonly (readonly [field: number, value: bigint | string | Tree])[]

/** The fields in their order; `nested` are the paths, of field numbers, below which there are messages and not texts. */
function treeOf(bytes: Uint8Array, nested: readonly string[], path = ''): Tree {
  return read(bytes).map(({ field, value }) => {
    const here = path === '' ? `${field}` : `${path}.${field}`
    if (typeof value === 'bigint') return [field, value]
    return [field, nested.includes(here) ? treeOf(value, nested, here) : Buffer.from(value).toString('latin1')]
  })
}

/** A number with a point is on the wire as its eight bytes. */
function double(value: number): bigint {
  return packed([value]).readBigUInt64LE()
}

function packed(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length)
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, 8 * index)
  return bytes
}

function packedFixed(values: readonly bigint[]): string {
  return Buffer.from(new BigUint64Array(values).buffer).toString('latin1')
}

const speaker = { resource: { 'service.name': 'vouch' }, scope: { name: 'scope', version: '1' } }
const inEnvelope = (...items: Tree): Tree => [
  [
    1,
    [
      [1, [[1, attribute('service.name', [1, 'vouch'])]]],
      [
        2,
        [
          [
            1,
            [
              [1, 'scope'],
              [2, '1'],
            ],
          ],
          ...items,
        ],
      ],
    ],
  ],
]
const attribute = (key: string, value: Tree[number]): Tree => [
  [1, key],
  [2, [value]],
]
const envelopePaths = ['1', '1.1', '1.1.1', '1.1.1.2', '1.2', '1.2.1', '1.2.2']
const attributePaths = (path: string): readonly string[] => [path, `${path}.2`]

test('a line of the log, and a value of each kind in its fields', () => {
  const fields = { text: 'a', yes: true, no: false, large: 10n, whole: -2, part: 0.5, list: [1], none: undefined }
  const bytes = encodeLogs(speaker, [{ timeMs: 1.5, level: 'warn', message: 'said', fields }])
  const item: Tree = [
    [1, 1_500_000n],
    [2, 13n],
    [3, 'WARN'],
    [5, [[1, 'said']]],
    [6, attribute('text', [1, 'a'])],
    [6, attribute('yes', [2, 1n])],
    [6, attribute('no', [2, 0n])],
    [6, attribute('large', [3, 10n])],
    [6, attribute('whole', [3, 2n ** 64n - 2n])],
    [6, attribute('part', [4, double(0.5)])],
    [6, attribute('list', [1, '[1]'])],
    [11, 1_500_000n],
  ]
  const nested = [...envelopePaths, '1.2.2.5', ...attributePaths('1.2.2.6')]
  assert.deepEqual(treeOf(bytes, nested), inEnvelope([2, item]))
})

test('the levels of a log are the severities that OTLP has for them', () => {
  const severityOf = (level: 'debug' | 'info' | 'warn' | 'error') => {
    const tree = treeOf(
      encodeLogs({ resource: {}, scope: { name: '', version: '' } }, [{ timeMs: 0, level, message: '', fields: {} }]),
      envelopePaths,
    )
    return JSON.stringify(tree, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).match(
      /\[2,"(\d+)"\]/,
    )?.[1]
  }
  assert.deepEqual((['debug', 'info', 'warn', 'error'] as const).map(severityOf), ['5', '9', '13', '17'])
})

const labels = { zone: 'a' }
const labelled: Tree = attribute('zone', [1, 'a'])
const times: Tree = [
  [2, 1_000_000n],
  [3, 3_000_000n],
]

for (const [what, point, type, data] of [
  ['gauge', { labels, value: 1.5, count: 0 }, 'gauge', [5, [[1, [[7, labelled], ...times, [4, double(1.5)]]]]]],
  [
    'counter',
    { labels, value: 2, count: 0 },
    'counter',
    [
      7,
      [
        [1, [[7, labelled], ...times, [4, double(2)]]],
        [2, 2n],
        [3, 1n],
      ],
    ],
  ],
  [
    'histogram, with those above its last bound',
    { labels, value: 12, count: 6, bounds: [1, 10], counts: [1, 2] },
    'histogram',
    [
      9,
      [
        [
          1,
          [
            [9, labelled],
            ...times,
            [4, 6n],
            [5, double(12)],
            [6, packedFixed([1n, 2n, 3n])],
            [7, packed([1, 10]).toString('latin1')],
          ],
        ],
        [2, 2n],
      ],
    ],
  ],
  ['summary', { labels, value: 4, count: 2 }, 'summary', [11, [[1, [[7, labelled], ...times, [4, 2n], [5, double(4)]]]]]],
] as const)
  test(`a ${what}`, () => {
    const bytes = encodeMetrics(speaker, [{ name: 'n', help: 'N.', type, points: [point] }], { startMs: 1, timeMs: 3 })
    const at = `1.2.2.${data[0]}`
    const nested = [...envelopePaths, at, `${at}.1`, ...attributePaths(`${at}.1.${type === 'histogram' ? 9 : 7}`)]
    assert.deepEqual(treeOf(bytes, nested), inEnvelope([2, [[1, 'n'], [2, 'N.'], data]]))
  })

for (const [what, error, status] of [
  ['a piece of work that went well', undefined, [[3, 1n]]],
  [
    'a piece of work that failed',
    'denied',
    [
      [2, 'denied'],
      [3, 2n],
    ],
  ],
] as const)
  test(what, () => {
    const event = { timeMs: 2, name: 'write', attributes: { verb: 'create' } }
    const bytes = encodeSpans(speaker, [
      {
        traceId: Buffer.from('t'.repeat(16)),
        spanId: Buffer.from('s'.repeat(8)),
        name: 'reconcile',
        timeMs: 1,
        endMs: 3,
        attributes: { key: 'a/b' },
        events: [event],
        error,
      },
    ])
    const item: Tree = [
      [1, 't'.repeat(16)],
      [2, 's'.repeat(8)],
      [5, 'reconcile'],
      [6, 1n],
      [7, 1_000_000n],
      [8, 3_000_000n],
      [9, attribute('key', [1, 'a/b'])],
      [
        11,
        [
          [1, 2_000_000n],
          [2, 'write'],
          [3, attribute('verb', [1, 'create'])],
        ],
      ],
      [15, status],
    ]
    const nested = [...envelopePaths, ...attributePaths('1.2.2.9'), '1.2.2.11', ...attributePaths('1.2.2.11.3'), '1.2.2.15']
    assert.deepEqual(treeOf(bytes, nested), inEnvelope([2, item]))
  })
