// How records of a zone are looked up, few and many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Values } from '../../model/request.ts'
import { type Answer, answering } from '../../testing/answers.ts'
import { findRecords, type WantedRecord } from './records.ts'

const wanted = (name: string, more: Partial<WantedRecord> = {}): WantedRecord => ({
  name,
  type: 'A',
  setIdentifier: undefined,
  isExpected: false,
  ...more,
})
const record = (Name: string, more: object = {}): Values => ({ Name, Type: 'A', ...more })
const page = (IsTruncated: boolean, ...records: readonly Values[]): Values => ({ IsTruncated, ResourceRecordSets: records })

async function find(questions: readonly WantedRecord[], pages: readonly Values[], alone: Answer = page(false)) {
  const { caller, asked } = answering({
    ListResourceRecordSets: input =>
      input['StartRecordName'] === undefined ? pages : typeof alone === 'function' ? alone(input) : (alone as Values),
  })
  const found = await findRecords(questions, caller, 'Z1')
  return {
    names: found.map(each => (each.ok ? each.value?.['Name'] : String(each.error))),
    asked: asked.map(([, { HostedZoneId: _zone, StartRecordType: _type, ...input }]) => input['StartRecordName'] ?? 'all'),
  }
}

const each = (input: Values): Values => page(false, record(String(input['StartRecordName'])))
const names = ['a.', 'b.', 'c.', 'd.']

for (const [what, questions, pages, found, asked] of [
  ['one is asked for alone', names.slice(0, 1), [], names.slice(0, 1), ['a.']],
  ['two are asked for one by one', names.slice(0, 2), [], names.slice(0, 2), ['a.', 'b.']],
  [
    'three are looked for in a list',
    names.slice(0, 3),
    [page(false, ...names.map(name => record(name)))],
    names.slice(0, 3),
    ['all'],
  ],
  ['what a whole list lacks is not there', names.slice(0, 3), [page(false, record('a.'))], ['a.', undefined, undefined], ['all']],
  [
    'of four two pages are read, and the rest is asked for alone',
    names,
    [page(true, record('a.')), page(true, record('b.')), page(false, record('c.'), record('d.'))],
    names,
    ['all', 'c.', 'd.'],
  ],
  [
    'a list ends at the page that has the last',
    names.slice(0, 3),
    [page(true, ...names.slice(0, 3).map(name => record(name))), page(false)],
    names.slice(0, 3),
    ['all'],
  ],
  [
    'a list is read on while one of them is missing',
    names.slice(0, 3),
    [page(true, record('a.'), record('b.')), page(false, record('c.'))],
    names.slice(0, 3),
    ['all'],
  ],
  [
    'a last page that comes late is read as well',
    names.slice(0, 3),
    [page(true), page(false, record('a.'))],
    ['a.', undefined, undefined],
    ['all'],
  ],
] as const)
  test(`of several records of a zone, ${what}`, async () => {
    const result = await find(
      questions.map(name => wanted(name)),
      pages,
      each,
    )
    assert.deepEqual([result.names, result.asked], [found, asked])
  })

test('what should be there is asked for alone where the list lacks it', async () => {
  const questions = [wanted('a.', { isExpected: true }), wanted('b.'), wanted('c.')]
  const { names: found, asked } = await find(questions, [page(false)], each)
  assert.deepEqual(
    [found, asked],
    [
      ['a.', undefined, undefined],
      ['all', 'a.'],
    ],
  )
})

test('records of one name are told apart by type and set', async () => {
  const set = (setIdentifier: string) => wanted('a.', { setIdentifier })
  const questions = [set('x'), set('y'), wanted('a.'), wanted('a.', { type: 'TXT' }), wanted('A')]
  const { names: found } = await find(questions, [
    page(false, record('A.', { SetIdentifier: 'y' }), record('a', { SetIdentifier: null })),
  ])
  assert.deepEqual(found, [undefined, 'A.', 'a', undefined, 'a'])
})

for (const [what, question, held, isFound] of [
  ['in another case', wanted('a.example.com.'), [record('A.EXAMPLE.com')], true],
  [
    'after others of its name',
    wanted('a.', { setIdentifier: 'y' }),
    [record('a.', { SetIdentifier: 'x' }), record('a.', { SetIdentifier: 'y' })],
    true,
  ],
  ['of another type', wanted('a.'), [record('a.', { Type: 'TXT' })], false],
  ['of a set that nobody asked for', wanted('a.'), [record('a.', { SetIdentifier: 'x' })], false],
  ['whose set is told as nothing', wanted('a.'), [record('a.', { SetIdentifier: null })], true],
  ['behind another name', wanted('a.'), [record('b.'), record('a.')], false],
] as const)
  test(`a record ${what} is ${isFound ? 'found' : 'not there'}`, async () => {
    const { names: found } = await find([question], [], page(false, ...held))
    assert.equal(found[0] !== undefined, isFound)
  })

test('the error of one look-up is its own', async () => {
  const alone = (input: Values): Values => {
    if (input['StartRecordName'] === 'a.') throw new Error('denied')
    return each(input)
  }
  const { names: found } = await find([wanted('a.'), wanted('b.')], [], alone)
  assert.deepEqual(found, ['Error: denied', 'b.'])
})
