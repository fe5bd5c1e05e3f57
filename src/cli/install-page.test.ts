// The questions by which the page on installing has a reader verify it, put to the rights that are rendered.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hubDefaults, rightsOfHub } from './render/hub.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/guides/install.md'), 'utf8')
const questions = [
  ...page.matchAll(/^kubectl auth can-i (\w+) (\S+) .*--as system:serviceaccount:vouch-system:(\S+)(?: \|\| true)?$/gm),
]

test('an installation without rights does not pass for a good one: two questions of the page are answered yes, the last no', async () => {
  const args = ['--controllers=identity,resources', '--aws-region=eu-west-1', '--services=iam,s3,eks']
  const accounts = await rightsOfHub({ ...hubDefaults, args })
  const answers = questions.map(([, verb = '', thing = '', account = '']) => {
    const [resource = '', ...group] = thing.split('.')
    const held = accounts.find(each => each.account === account)?.rights
    assert.ok(held !== undefined, `there is no account ${account}`)
    return held.some(
      right =>
        right.resource === resource &&
        right.verbs.includes(verb as never) &&
        right.names === undefined &&
        (group.length === 0 || right.group === group.join('.')),
    )
  })
  assert.deepEqual(answers, [true, true, false])
})
