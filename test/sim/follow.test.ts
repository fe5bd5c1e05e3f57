import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renamedWords } from './follow.ts'

const diff = `diff --git a/src/a.ts b/src/b.ts
--- a/src/a.ts
+++ b/src/b.ts
@@ -3,2 +3,2 @@ export function f() {
-  if (one.met) return told(one)
-  // one more
+  if (situation.met) return told(situation)
+  // one more
@@ -9 +9,2 @@
-  return told
+  const said = told
+  return said
@@ -20 +21 @@
-  torn(first)
+  whole(first)
@@ -30 +31 @@
-  torn(second)
+  half(second)
diff --git a/src/c.ts b/src/c.ts
--- a/src/c.ts
+++ b/src/c.ts
@@ -1 +1 @@
-met()
+planForTrouble()
`

test('words that were renamed are known by file and by place, and lines that were rewritten tell nothing', () => {
  const words = [...renamedWords(diff)].map(([path, ways]) => [path, ways.map(way => Object.fromEntries(way))])
  assert.deepEqual(words, [
    // `one` stays in a comment and `torn` became two things: only their places tell.
    ['src/a.ts', [{}, {}, {}, { torn: 'whole' }, { torn: 'half' }]],
    ['src/c.ts', [{ met: 'planForTrouble' }, { met: 'planForTrouble' }]],
  ])
  const withoutProse = diff.replaceAll(/^[-+] {2}\/\/ one more\n/gm, '')
  const [whole, place] = renamedWords(withoutProse).get('src/a.ts') ?? []
  assert.deepEqual([whole, place], [new Map([['one', 'situation']]), new Map([['one', 'situation']])])
})
