import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { test } from 'node:test'
import { invitation } from './invitation.ts'

const wide = invitation('/tmp/x/env', 200)
const narrow = invitation('/tmp/x/env', 80)

test('every command of the invitation works in any folder: nothing of npm, and files by their whole path', () => {
  for (const text of [wide, narrow]) {
    assert.doesNotMatch(text, /\bnpm\b/)
    const files = [...text.matchAll(/ -f (\S+)/g)].map(([, file = '']) => file)
    assert.equal(files.length, 1)
    for (const file of files) assert.ok(isAbsolute(file) && existsSync(file), file)
  }
})

test('words stand beside their command where there is room for both, and above it where there is not', () => {
  assert.match(wide, /^ {2}aws s3 ls {5,}# the data, and the issuer of edge$/m)
  assert.match(narrow, /^ {2}# the data, and the issuer of edge\n {2}aws s3 ls$/m)
})

test('a line that is pasted whole is its command and no more: whatever stands beside it is a comment', () => {
  const commands = (text: string): readonly string[] =>
    text
      .split('\n')
      .filter(line => /^ {2}[^ #]/.test(line))
      .map(line => line.replace(/ +# .*$/, '').trim())
  assert.ok(commands(narrow).length > 10)
  assert.deepEqual(commands(wide), commands(narrow))
  // In one column nothing stands beside a command, so these are the commands themselves.
  assert.doesNotMatch(narrow, /^ {2}[^ #].* # /m)
})
