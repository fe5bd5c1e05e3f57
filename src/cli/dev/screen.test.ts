import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScreen, type ScreenOptions } from './screen.ts'

function screen(options: Partial<ScreenOptions> = {}) {
  const written: string[] = []
  const made = createScreen({
    write: text => void written.push(text),
    elapsedMs: () => 1_234,
    color: false,
    json: false,
    ...options,
  })
  return { made, text: () => written.join('') }
}

test('a line has its time, its sign, its cluster and its text', () => {
  const { made, text } = screen()
  made.chapter('proof', 'The proof')
  made.line('proven', 'pod reader read it', { cluster: 'edge' })
  made.line('done', 'nothing of a cluster')
  assert.equal(text(), '\nThe proof\n  1.23 s ✓ edge   pod reader read it\n  1.23 s · nothing of a cluster\n')
})

test('a long line is broken between words and goes on below its text; a long word stays whole', () => {
  const { made, text } = screen({ columns: 60 })
  const arn = `arn:aws:iam::123456789012:role/${'x'.repeat(40)}`
  made.line('proven', `TrustPolicyReady, PolicyReady, RoleReady, ServiceAccountAnnotationReady of ${arn}`, { cluster: 'edge' })
  assert.equal(
    text(),
    `  1.23 s ✓ edge   TrustPolicyReady, PolicyReady, RoleReady,
                  ServiceAccountAnnotationReady of
                  ${arn}
`,
  )
})

test('without a width a line is one line, so that a pipe can be searched', () => {
  const { made, text } = screen()
  made.line('proven', 'word '.repeat(100).trim())
  assert.equal(text().trim().split('\n').length, 1)
})

test('colour is there only where it is asked for, and never breaks the words', () => {
  const plain = screen()
  const colored = screen({ color: true })
  for (const { made } of [plain, colored]) made.line('refused', 'no', { cluster: 'prod' })
  assert.ok(!plain.text().includes(String.fromCharCode(27)))
  const escape = String.fromCharCode(27)
  assert.equal(
    colored
      .text()
      .split(new RegExp(`${escape}\\[\\d+m`))
      .join(''),
    plain.text(),
  )
  assert.notEqual(colored.text(), plain.text())
})

test('for programs each line is one object; chapters and pictures are none', () => {
  const { made, text } = screen({ json: true })
  made.chapter('platform', 'The platform team')
  made.line('done', 'turned', { cluster: 'edge', object: { kind: 'K', name: 'n' }, conditions: ['A'] })
  made.block('a picture')
  assert.deepEqual(JSON.parse(text()), {
    atMs: 1_234,
    chapter: 'platform',
    outcome: 'done',
    text: 'turned',
    cluster: 'edge',
    object: { kind: 'K', name: 'n' },
    conditions: ['A'],
  })
})
