// Of which fields of entries AWS is asked, and what is learnt of each entry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { conditions, type Resource } from '../api.ts'
import type { ReadContext } from '../kinds/deviation.ts'
import { list, madeUpKind, structure, structureShape } from '../testing/made-up-kind.ts'
import { readEntries } from './read-entries.ts'

const rules = {
  field: 'Rules',
  list: 'ListRules',
  entries: 'Rules',
  get: 'GetRule',
  put: 'PutRule',
  delete: 'DeleteRule',
  key: 'Name',
}
const model = madeUpKind({
  subResources: [rules],
  spec: { Rules: list(structure('Rule')) },
  structures: { Rule: { Name: 'string', Size: 'integer' } },
  inputs: { PutRule: { Name: 'String', Size: 'Integer' }, GetRule: { Name: 'String' } },
  outputs: { ListRules: { Rules: 'Rules' }, GetRule: { Name: 'String', Size: 'Integer' } },
  shapes: { Rules: { type: 'list', member: { target: 'Rule' } }, Rule: structureShape({ Name: 'String', Size: 'Integer' }) },
})

const going = { deletionTimestamp: '2026-06-01T00:00:00Z' }

interface Asked {
  readonly metadata?: object
  readonly adopting?: boolean
  readonly wanted?: unknown
  readonly sent?: object
  /** What the service says of single entries; what is not named is gone. */
  readonly told?: Readonly<Record<string, object | Error>>
}

/** What AWS was asked, and the field as it is read: a list names `a` and `b`. */
async function readOf({
  metadata,
  adopting = false,
  wanted,
  sent,
  told = {},
}: Asked): Promise<{ asked: string[]; rules: unknown }> {
  const asked: string[] = []
  const said = sent && [{ type: conditions.sent, status: 'True', reason: 'Sent', message: JSON.stringify(sent) }]
  const claim = { metadata: { ...metadata }, status: { conditions: said ?? [] } } as unknown as Resource
  const caller = {
    list: (operation: string) => {
      asked.push(operation)
      return Promise.resolve([{ Name: 'a' }, { Name: 'b' }])
    },
    call: (operation: string, { Name }: { readonly Name: string }) => {
      asked.push(`${operation} ${Name}`)
      const answer = told[Name] ?? gone('NoSuchRule')
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
  }
  const context = { model, deviation: {}, claim, adopting, wanted: { spec: { rules: wanted }, status: {} }, caller }
  const { spec } = await readEntries(context as unknown as ReadContext, {
    spec: { rules: 'of the read', name: 'one' },
    status: {},
  })
  assert.equal(spec['name'], 'one')
  return { asked, rules: spec['rules'] }
}

function gone(code: string): AwsError {
  return new AwsError({ code, message: 'it is gone', status: 400, service: 'madeup', operation: 'GetRule' } as never)
}

for (const [what, asked, isAsked] of [
  ['the manifest never spoke of it', {}, false],
  ['the manifest speaks of it', { wanted: [] }, true],
  ['the manifest says null', { wanted: null }, false],
  ['the resource is taken over', { adopting: true }, true],
  ['the object goes', { metadata: going }, true],
  ['an earlier manifest spoke of it', { sent: { Rules: 'a print' } }, true],
  ['an earlier manifest spoke of another field', { sent: { Name: 'a print' } }, false],
] as const)
  test(`of a field of entries AWS is ${isAsked ? '' : 'not '}asked where ${what}`, async () => {
    const { asked: calls, rules: found } = await readOf(asked)
    assert.deepEqual(calls, isAsked ? ['ListRules', 'GetRule a', 'GetRule b'] : [])
    assert.notEqual(found, 'of the read')
  })

test('an entry says what it was asked for, and one that was deleted since the list is left out', async () => {
  const told = { a: { Name: 'a', Size: 7 } }
  assert.deepEqual((await readOf({ adopting: true, told })).rules, [{ name: 'a', size: 7 }])
  const { rules: found } = await readOf({ wanted: [{ name: 'a' }], told })
  assert.deepEqual(found, [{ name: 'a' }])
})

test('an entry that cannot be read is no entry that is gone', async () => {
  await assert.rejects(readOf({ adopting: true, told: { a: gone('ThrottlingException') } }), /it is gone/)
})
