import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setValues } from './set-values.ts'

const rows: Readonly<Record<string, object>> = {
  'a=1': { a: 1 },
  'a.b.c=x': { a: { b: { c: 'x' } } },
  'a=true,b=false,c=null,d=': { a: true, b: false, c: null, d: '' },
  'a=01,b=-3,c=1.5,d=0': { a: '01', b: -3, c: '1.5', d: 0 },
  'a.b=1,a.c=2': { a: { b: 1, c: 2 } },
  'a=iam\\,s3': { a: 'iam,s3' },
  'labels.example\\.org/team=x': { labels: { 'example.org/team': 'x' } },
  'a={b,c},d=e': { a: ['b', 'c'], d: 'e' },
  'a={}': { a: [] },
  'a=b=c': { a: 'b=c' },
}

for (const [text, expected] of Object.entries(rows))
  test(`one line of values is read as Helm reads it: ${text}`, () => {
    assert.deepEqual(setValues(text), expected)
  })

test('what is no pair, and a place in a list, is refused', () => {
  for (const text of ['a', '=1', 'a..b=1', 'a,b=1', 'a[0]=1']) assert.throws(() => setValues(text), /^Error: --set /, text)
})
