// What a message of the drift queue says, and by which names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastPart, namesIn } from './names.ts'
import { parseNotice } from './notice.ts'
import { parseQueueUrl } from './queue-address.ts'

const detail = {
  eventSource: 'iam.amazonaws.com',
  recipientAccountId: '111122223333',
  awsRegion: 'us-east-1',
  requestID: 'r',
  requestParameters: { roleName: 'reader' },
  responseElements: { role: { arn: 'arn:aws:iam::111122223333:role/other' } },
  resources: [{ ARN: 'a1' }],
}
const event = { source: 'aws.iam', account: '999900001111', region: 'eu-west-1', resources: ['a2'], detail }
const parse = (value: unknown) => parseNotice(typeof value === 'string' ? value : JSON.stringify(value))

test('a record of a call says who, where and what, and names what stands in it', () => {
  const { names, ...notice } = parse(event) ?? assert.fail('no notice')
  assert.deepEqual(notice, {
    source: 'iam.amazonaws.com',
    account: '111122223333',
    region: 'us-east-1',
    requestId: 'r',
    isHarmless: false,
  })
  assert.deepEqual([...names], ['a2', 'a1', 'reader', 'arn:aws:iam::111122223333:role/other', 'other'])
})

test('an event that is no call says its account and region itself', () => {
  const { names: _, ...notice } = parse({ ...event, detail: {} }) ?? assert.fail('no notice')
  assert.deepEqual(notice, {
    source: undefined,
    account: '999900001111',
    region: 'eu-west-1',
    requestId: undefined,
    isHarmless: false,
  })
})

test('what a topic passed on is taken out of what it has around it', () => {
  assert.equal(parse({ Type: 'Notification', Message: JSON.stringify(event) })?.source, 'iam.amazonaws.com')
  assert.equal(parse({ Type: 'Other', Message: JSON.stringify(event) }), undefined)
  assert.equal(parse({ Type: 'Notification' }), undefined)
})

for (const [what, value] of [
  ['no JSON', 'x'],
  ['a text', '"x"'],
  ['no detail', { ...event, detail: undefined }],
  ['a detail that is a text', { ...event, detail: 'x' }],
  ['no source', { ...event, source: undefined }],
  ['an empty source', { ...event, source: '' }],
  ['a source that is no text', { ...event, source: 5 }],
] as const)
  test(`a message with ${what} is no event`, () => assert.equal(parse(value), undefined))

for (const [what, more, isHarmless] of [
  ['reads', { readOnly: true }, true],
  ['reads, in a word', { readOnly: 'true' }, true],
  ['was refused', { errorCode: 'AccessDenied' }, true],
  ['writes', { readOnly: false }, false],
  ['writes, in a word', { readOnly: 'false', errorCode: '' }, false],
] as const)
  test(`a call that ${what} ${isHarmless ? 'is harmless' : 'may have changed something'}`, () =>
    assert.equal(parse({ ...event, detail: { ...detail, ...more } })?.isHarmless, isHarmless))

const named = (...values: readonly unknown[]): readonly string[] => [...namesIn(values)]
const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])

for (const [what, found, expected] of [
  ['a path', named('/hostedzone/Z1'), ['/hostedzone/z1', 'z1']],
  ['a host', named('www.Example.com.'), ['www.example.com', 'www']],
  ['an ARN of a host', named('arn:x/www.a.b'), ['arn:x/www.a.b', 'www.a.b', 'www']],
  ['nothing', named('', undefined, 5, null), []],
  ['a text of 2,048 characters', named('x'.repeat(2_048)).map(({ length }) => length), [2_048]],
  ['a text of 2,049 characters', named('x'.repeat(2_049)), []],
  ['what stands twelve deep', named(nested(12)), ['x']],
  ['what stands thirteen deep', named(nested(13)), []],
  ['what stands twelve deep in structures', named({ a: { b: nested(10) } }), ['x']],
  ['what stands thirteen deep in structures', named({ a: { b: nested(11) } }), []],
] as const)
  test(`${what} is spelled ${expected.length === 0 ? 'by nothing' : expected.length === 1 ? 'in one way' : expected.join(', ')}`, () =>
    assert.deepEqual(found, expected))

test('an event of many names is read as far as four thousand', () => {
  assert.equal(namesIn([Array.from({ length: 5_000 }, (_, index) => `n${index}`)]).size, 4_000)
})

for (const [text, last] of [
  ['arn:aws:iam::1:role/a', 'a'],
  ['a/b:c', 'c'],
  ['/a', 'a'],
  ['a', 'a'],
  ['a/', 'a/'],
] as const)
  test(`the last part of ${text} is ${last}`, () => assert.equal(lastPart(text), last))

for (const [url, endpoint, region] of [
  ['https://sqs.eu-west-1.amazonaws.com/1/q', 'https://sqs.eu-west-1.amazonaws.com', 'eu-west-1'],
  ['https://vpce-1.sqs.eu-west-1.vpce.amazonaws.com/1/q', 'https://vpce-1.sqs.eu-west-1.vpce.amazonaws.com', 'eu-west-1'],
  ['http://localhost:4566/1/q', 'http://localhost:4566', undefined],
  ['https://mysqs.eu-west-1.amazonaws.com/q', 'https://mysqs.eu-west-1.amazonaws.com', undefined],
] as const)
  test(`the queue ${url} is in ${region ?? 'a region that it does not tell'}`, () =>
    assert.deepEqual(parseQueueUrl(url), { url, endpoint, region }))

test('what is no URL of a queue is refused', () => {
  for (const url of ['drift', 'ftp://sqs.eu-west-1.amazonaws.com/1/q', 'https://sqs.eu-west-1.amazonaws.com/'])
    assert.throws(() => parseQueueUrl(url), /is no URL of a queue/)
  assert.equal(parseQueueUrl('https://a/q').endpoint, 'https://a')
})
