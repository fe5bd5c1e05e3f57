import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from './describe.ts'

for (const [what, html, text] of [
  ['white space is one blank, and the text is trimmed', '<p> one\n  two </p>', 'one two'],
  ['paragraphs are apart by an empty line', '<p>one</p><p>two</p>three<br/>four', 'one\n\ntwo\n\nthree\n\nfour'],
  ['items of a list are points', '<p>of:</p><ul><li><p>one</p></li><li>two</li><li></li></ul>', 'of:\n\n   * one\n\n   * two'],
  ['a link keeps its address', 'see <a href="https://a.example/x">the page</a>.', 'see the page (https://a.example/x).'],
  ['a link that says its address says it once', '<a href="https://a.example">at https://a.example</a>', 'at https://a.example'],
  ['a link within the documentation is its words', '<a href="API_Get.html">Get</a>', 'Get'],
  ['other elements and comments are left out', 'a <code>b</code><!-- c --> <i>d</i>', 'a b d'],
  ['a sign that opens no element stays', 'a < b', 'a < b'],
  ['entities are their characters', '&lt;a&gt; &amp; &quot;b&quot; &apos;c&#39;&nbsp;d', '<a> & "b" \'c\' d'],
  ['entities by number, in decimals and in hexadecimals', '&#65;&#x42;&#X63;&#x10ffff;&#1;', 'ABc\u{10ffff}\u{1}'],
  [
    'numbers that are no character, and names that are none, stay',
    '&#0; &#x110000; &nothing; &#x;',
    '&#0; &#x110000; &nothing; &#x;',
  ],
] as const)
  test(`of a description ${what}`, () => assert.equal(describe(html), text))

for (const [html, pattern, text] of [
  [undefined, '^a$', undefined],
  ['', undefined, undefined],
  ['<p></p>', undefined, undefined],
  ['', '^a$', 'Regex Pattern: `^a$`'],
  ['<p>a</p>', '^a$', 'a\n\nRegex Pattern: `^a$`'],
] as const)
  test(`${JSON.stringify(html)} with the pattern ${pattern} is ${JSON.stringify(text)}`, () =>
    assert.equal(describe(html, pattern), text))
