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

/** A screen whose time is told, and whose ticks are given by hand. */
function waitingScreen(options: Partial<ScreenOptions> = {}) {
  let nowMs = 0
  let tick = (): void => {}
  const { made, text } = screen({
    elapsedMs: () => nowMs,
    every: (_ms, given) => {
      tick = given
      return () => void (tick = () => {})
    },
    ...options,
  })
  const pass = (ms: number): void => {
    for (const end = nowMs + ms; nowMs < end; ) {
      nowMs += 250
      tick()
    }
  }
  return { made, text, pass }
}

test('silence of more than a second is broken by what is waited for, in a pipe each time by a line', async () => {
  const { made, text, pass } = waitingScreen()
  const done = Promise.withResolvers<number>()
  const result = made.during(() => 'six processes run', done.promise)
  pass(750)
  assert.equal(text(), '')
  pass(250)
  pass(5_250)
  done.resolve(7)
  assert.equal(await result, 7)
  pass(10_000)
  assert.equal(text(), '  1.00 s … six processes run (1 s)\n  6.00 s … six processes run (6 s)\n')
})

test('on a terminal the line of waiting is written over, and gone when something is said', () => {
  const { made, text, pass } = waitingScreen({ live: true, columns: 30 })
  void made.during(() => 'a text that is longer than the terminal', Promise.withResolvers().promise)
  pass(2_000)
  made.line('done', 'here it is')
  const wiped = '\r\u001b[K'
  assert.equal(
    text(),
    `${wiped}  1.00 s … a text that is lon${wiped}  2.00 s … a text that is lon${wiped}  2.00 s · here it is\n`,
  )
})

test('what is said in between is no silence; programs are told nothing of it', () => {
  const { made, text, pass } = waitingScreen()
  void made.during(() => 'waiting', Promise.withResolvers().promise)
  for (let step = 0; step < 4; step++) {
    pass(750)
    made.line('done', 'a step')
  }
  assert.ok(!text().includes('waiting'))
  const programs = waitingScreen({ json: true })
  void programs.made.during(() => 'waiting', Promise.withResolvers().promise)
  programs.pass(5_000)
  assert.equal(programs.text(), '')
})
