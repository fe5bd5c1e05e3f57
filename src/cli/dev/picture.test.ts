import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureOf } from './picture.ts'

const object = 's3://vouch-demo-data/hello.txt'

for (const columns of [200, 130, 113, 112, 100, 80, 64, 63, 40]) {
  test(`the picture fits a terminal of ${columns} columns and says who, by what and to what`, () => {
    const picture = pictureOf(object, columns)
    const widest = Math.max(...picture.split('\n').map(line => line.length))
    assert.ok(widest <= columns, `${widest} columns`)
    for (const part of ['edge', 'stage', 'prod', 'demo/reader', 'nobody else', object]) assert.ok(picture.includes(part), part)
  })
}

test('a pipe gets the widest picture', () => {
  assert.equal(pictureOf(object, Number.POSITIVE_INFINITY), pictureOf(object, 500))
})
