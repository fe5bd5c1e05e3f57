import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './program.ts'
import { type CelType, dynType, intType, listOf, mapOf, optionalOf, renderType, stringType } from './types.ts'
import { CelBytes, CelList, CelOptional, CelUint, type CelValue, EvalError, LiteralMap } from './values.ts'

const none = new Map<string, CelType>()

function outcome(source: string): unknown {
  const compiled = compile(source, none)
  if (compiled.kind === 'refused') return compiled.message.split('\n')[0]?.replace('ERROR: <input>:', '')
  try {
    return plain(compiled.program.run([], { cost: 0, costMax: 1_000_000 }))
  } catch (error) {
    if (error instanceof EvalError) return `failed: ${error.message}`
    throw error
  }
}

function plain(value: CelValue): unknown {
  if (value instanceof CelList) return value.items.map(plain)
  if (value instanceof CelUint) return `${value.value}u`
  if (value instanceof CelBytes) return `bytes ${[...value.bytes].join(' ')}`
  if (value instanceof CelOptional) return value.value === undefined ? 'nothing' : ['something', plain(value.value)]
  if (value instanceof LiteralMap) return value.keys().map(key => [plain(key), plain(value.get(key) as CelValue)])
  return value
}

type Rows = readonly (readonly [source: string, outcome: unknown])[]

function holds(what: string, rows: Rows): void {
  test(what, () => {
    assert.deepEqual(
      rows.map(([source]) => [source, outcome(source)]),
      rows,
    )
  })
}

const stray = (at: string, text: string): string => `${at}: Syntax error: token recognition error at: '${text}'`

holds('numbers are written in several ways', [
  ['0x1F', 31n],
  ['0x1Fu', '31u'],
  ['12u', '12u'],
  ['12U', '12u'],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['1e3', 1000],
  ['1.5e-3', 0.0015],
  ['.5E1', 5],
  ['9223372036854775807', 9223372036854775807n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775808', '1:1: invalid int literal'],
  ['-9223372036854775809', '1:2: invalid int literal'],
  ['-1.5', -1.5],
  ['- 1', -1n],
])

holds('texts are written in several ways', [
  ['"a\'b"', "a'b"],
  ["'a\"b'", 'a"b'],
  ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\"\\\'\\`\\?"', '\x07\b\f\n\r\t\v\\"\'`?'],
  ['"\\x41\\u00e9\\U0001F600\\101"', 'Aé😀A'],
  ['"\\377"', 'ÿ'],
  ['"\\400"', '1:1: invalid escape sequence in a string'],
  ['"\\x4"', '1:1: invalid escape sequence in a string'],
  ['"\\ud800"', '1:1: invalid escape sequence in a string'],
  ['"\\udfff"', '1:1: invalid escape sequence in a string'],
  ['"\\ue000"', '\ue000'],
  ['"\\U00110000"', '1:1: invalid escape sequence in a string'],
  ['"\\U0010ffff"', '\u{10ffff}'],
  ['"\\q"', '1:1: invalid escape sequence in a string'],
  ['r"a\\n"', 'a\\n'],
  ["R'a\"'", 'a"'],
  ['"""a\n"b"\nc"""', 'a\n"b"\nc'],
  ["'''a'b'''", "a'b"],
  ['"""a\r\nb"""', 'a\nb'],
  ['b"aé"', 'bytes 97 195 169'],
  ['b"\\xff\\377"', 'bytes 255 255'],
  ['b"\\u0041"', '1:1: invalid escape sequence in a string'],
  ['rb"\\n"', 'bytes 92 110'],
  ['bR"\\n"', 'bytes 92 110'],
  ['""', ''],
  ['""""""', ''],
  ['"a', stray('1:1', '"a')],
  ['"a\nb"', stray('1:1', '"a\nb"').split('\n')[0]],
  ['"a\\"', stray('1:1', '"a\\"')],
])

holds('what stands between is passed over, and what is no text of the language is told', [
  ['1 // one\n+ 2', 3n],
  ['1 + 2 // three', 3n],
  ['\t1\r\n+\f1', 2n],
  ['1 / 2', 0n],
  ['1 # 2', stray('1:3', '#')],
  ['é', stray('1:1', 'é')],
  ['true && `', stray('1:9', '`')],
  ['1 = 2', stray('1:3', '= ')],
])

test('each piece of stray text is told, and a text of a hundred thousand characters is read', () => {
  const refused = (source: string): string => {
    const compiled = compile(source, none)
    return compiled.kind === 'refused' ? compiled.message : ''
  }
  assert.equal(refused('#'.repeat(99)).match(/token recognition/g)?.length, 99)
  assert.equal(refused(`1${' '.repeat(99_999)}`), '')
  assert.match(refused(`1${' '.repeat(100_000)}`), /expression code point size exceeds limit: size: 100001, limit 100000/)
})

holds('operators bind as they should', [
  ['1 + 2 * 3', 7n],
  ['(1 + 2) * 3', 9n],
  ['10 - 2 - 3', 5n],
  ['100 / 10 / 5', 2n],
  ['true || false && false', true],
  ['!true || true', true],
  ['1 < 2 == true', true],
  ['!!true', true],
  ['!!!true', false],
  ['-(1)', -1n],
  ['--1', 1n],
  ['---(1)', -1n],
  ['-(-(1))', 1n],
  ['true ? 1 : false ? 2 : 3', 1n],
  ['false ? 1 : false ? 2 : 3', 3n],
  ['2 in [1, 2] && !(3 in [1, 2])', true],
  ['[1, 2, 3,].size()', 3n],
  ['{"a": 1, "b": 2,}.size()', 2n],
  ['[,].size()', 0n],
  ['{,}.size()', 0n],
  ['{1: "a"}[1]', 'a'],
  ['{true: "a"}[true]', 'a'],
])

const start = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

/** What else may stand there, in the order in which all of it is told. */
function among(...others: string[]): string {
  const all = "'[' ']' '{' '}' '(' ')' '.' ',' '-' '!' '?'".split(' ')
  const words = all.filter(word => start.includes(word) || others.includes(word))
  return `{${words.join(', ')}, 'true'${start.split("'true'")[1]}`
}

holds('what is no expression is told where it goes wrong', [
  ['', `1:1: Syntax error: mismatched input '<EOF>' expecting ${start}`],
  ['1 +', `1:4: Syntax error: mismatched input '<EOF>' expecting ${start}`],
  ['* 1', `1:1: Syntax error: extraneous input '*' expecting ${start}`],
  ['1 2', "1:3: Syntax error: extraneous input '2' expecting <EOF>"],
  ['a b c', "1:3: Syntax error: mismatched input 'b' expecting <EOF>"],
  ['1 ) )', "1:3: Syntax error: mismatched input ')' expecting <EOF>"],
  ['(1', "1:3: Syntax error: missing ')' at '<EOF>'"],
  ['(1 2', "1:4: Syntax error: mismatched input '2' expecting ')'"],
  ['(1 2)', "1:4: Syntax error: extraneous input '2' expecting ')'"],
  ['f(1 2)', "1:5: Syntax error: extraneous input '2' expecting ')'"],
  ['f(1,)', `1:5: Syntax error: mismatched input ')' expecting ${start}`],
  ['()', `1:2: Syntax error: mismatched input ')' expecting ${start}`],
  ['a[1', "1:4: Syntax error: missing ']' at '<EOF>'"],
  ['a[1 2]', "1:5: Syntax error: extraneous input '2' expecting ']'"],
  ['[1', "1:3: Syntax error: mismatched input '<EOF>' expecting {']', ','}"],
  ['[1 2]', "1:4: Syntax error: extraneous input '2' expecting {']', ','}"],
  ['[1,,2]', "1:4: Syntax error: mismatched input ',' expecting ']'"],
  ['[1,)', "1:4: Syntax error: mismatched input ')' expecting ']'"],
  ['[1,', "1:4: Syntax error: missing ']' at '<EOF>'"],
  ['[', `1:2: Syntax error: mismatched input '<EOF>' expecting ${among("']'", "','", "'?'")}`],
  ['[)', `1:2: Syntax error: mismatched input ')' expecting ${among("']'", "','", "'?'")}`],
  ['{', `1:2: Syntax error: mismatched input '<EOF>' expecting ${among("'}'", "','", "'?'")}`],
  ['a[)', `1:3: Syntax error: mismatched input ')' expecting ${among("'?'")}`],
  ['a[+1]', `1:3: Syntax error: extraneous input '+' expecting ${among("'?'")}`],
  ['f(]', `1:3: Syntax error: mismatched input ']' expecting ${among("')'")}`],
  ['a.f(', `1:5: Syntax error: mismatched input '<EOF>' expecting ${among("')'")}`],
  ['a &b', "1:3: Syntax error: token recognition error at: '&b'"],
  ['a |', "1:3: Syntax error: token recognition error at: '|'"],
  ['a = b', "1:3: Syntax error: token recognition error at: '= '"],
  ['{1', "1:3: Syntax error: mismatched input '<EOF>' expecting ':'"],
  ['{1 2}', "1:4: Syntax error: missing ':' at '2'"],
  ['{1:2 3}', "1:6: Syntax error: extraneous input '3' expecting {'}', ','}"],
  ['a ? b c', "1:7: Syntax error: missing ':' at 'c'"],
  ['../a', "1:2: Syntax error: no viable alternative at input '..'"],
  ['a.', "1:3: Syntax error: no viable alternative at input '.'"],
  ['if', '1:1: reserved identifier: if'],
  ['has(1)', '1:5: invalid argument to has() macro'],
  ['[1].all(1, true)', '1:9: argument must be a simple name'],
  ['[1].all(.x, true)', '1:10: argument must be a simple name'],
  ['[1].all(i, i, true)', '1:12: duplicate variable name: i'],
])

test('an expression nests up to two hundred and fifty times, and chains up to four hundred', () => {
  const refused = (source: string): string => {
    const compiled = compile(source, none)
    return compiled.kind === 'refused' ? compiled.message : ''
  }
  assert.equal(refused(`${'('.repeat(249)}1${')'.repeat(249)}`), '')
  assert.match(refused(`${'('.repeat(250)}1${')'.repeat(250)}`), /expression recursion limit exceeded: 250/)
  assert.equal(refused(Array.from({ length: 400 }, () => '1').join(' + ')), '')
  assert.match(refused(Array.from({ length: 401 }, () => '1').join(' + ')), /expression recursion limit exceeded: 400/)
})

holds('loops look at items and keys, with their places', [
  ['[1, 2].all(x, x > 0)', true],
  ['[1, 0].all(x, x > 0)', false],
  ['[0, 1].all(x, 1 / x > 5)', false],
  ['[1, 0].all(x, 1 / x > 0)', 'failed: division by zero'],
  ['[0, 1].exists(x, 1 / x > 0)', true],
  ['[0, 1].exists(x, 1 / x > 5)', 'failed: division by zero'],
  ['[1, 2, 2].exists_one(x, x == 1)', true],
  ['[1, 2, 2].exists_one(x, x == 2)', false],
  ['[1, 2, 2].existsOne(x, x == 3)', false],
  ['[1, 2, 3].filter(x, x > 1)', [2n, 3n]],
  ['[1, 2].map(x, x * 2)', [2n, 4n]],
  ['[1, 2].map(x, x > 1, x * 2)', [4n]],
  ['{"a": 1, "b": 2}.map(k, k)', ['a', 'b']],
  ['{"a": 1, "b": 2}.filter(k, k == "b")', ['b']],
  ['{"a": 1, "b": 2}.all(k, v, v > 0)', true],
  ['{"a": 1, "b": 2}.exists(k, v, k == "b" && v == 2)', true],
  ['{"a": 1, "b": 2}.exists_one(k, v, v == 1)', true],
  ['{"a": 1, "b": 2}.transformList(k, v, k)', ['a', 'b']],
  ['{"a": 1, "b": 2}.transformList(k, v, v > 1, k)', ['b']],
  ['[5, 6].transformList(i, v, i + v)', [5n, 7n]],
  [
    '[5, 6].transformMap(i, v, v)',
    [
      [0n, 5n],
      [1n, 6n],
    ],
  ],
  ['[5, 6].transformMap(i, v, v > 5, v)', [[1n, 6n]]],
  ['{"a": 1}.transformMapEntry(k, v, {v: k})', [[1n, 'a']]],
  ['{"a": 1, "b": 1}.transformMapEntry(k, v, {v: k})', 'failed: insert failed: key already exists'],
  ['{"a": 1, "b": 1}.transformMapEntry(k, v, k == "b", {v: k})', [[1n, 'b']]],
  ['cel.bind(x, 2, x * x)', 4n],
  ['[1].map(x, [2].map(y, x + y))', [[3n]]],
  ['[1].map(x, [2].map(x, x))', [[2n]]],
])

holds('what may be there is an option', [
  ['optional.of(1)', ['something', 1n]],
  ['optional.none()', 'nothing'],
  ['optional.ofNonZeroValue(0)', 'nothing'],
  ['optional.ofNonZeroValue("")', 'nothing'],
  ['optional.ofNonZeroValue([])', 'nothing'],
  ['optional.ofNonZeroValue({})', 'nothing'],
  ['optional.ofNonZeroValue(0u)', 'nothing'],
  ['optional.ofNonZeroValue(0.0)', 'nothing'],
  ['optional.ofNonZeroValue(b"")', 'nothing'],
  ['optional.ofNonZeroValue(false)', 'nothing'],
  ['optional.ofNonZeroValue(null)', 'nothing'],
  ['optional.ofNonZeroValue(duration("0s"))', 'nothing'],
  ['optional.ofNonZeroValue(1)', ['something', 1n]],
  ['optional.ofNonZeroValue([0])', ['something', [0n]]],
  ['optional.of(1).hasValue() && !optional.none().hasValue()', true],
  ['optional.none().value()', 'failed: optional.none() dereference'],
  ['optional.of(1).value()', 1n],
  ['optional.none().orValue(2)', 2n],
  ['optional.of(1).orValue(2)', 1n],
  ['optional.none().or(optional.of(3))', ['something', 3n]],
  ['optional.of(1).optMap(x, x + 1)', ['something', 2n]],
  ['optional.none().optMap(x, x)', 'nothing'],
  ['optional.of(1).optFlatMap(x, optional.of(x + 1))', ['something', 2n]],
  ['optional.of(1).optFlatMap(x, optional.none())', 'nothing'],
  ['{"a": 1}.?a', ['something', 1n]],
  ['{"a": 1}.?b', 'nothing'],
  ['{"a": {"b": 1}}.?a.b', ['something', 1n]],
  ['{"a": {"b": 1}}.?z.b', 'nothing'],
  ['[1, 2][?1]', ['something', 2n]],
  ['[1, 2][?2]', 'nothing'],
  ['[1, 2][?-1]', 'nothing'],
  ['[?{"a": 1}.?a, ?{"a": 1}.?b]', [1n]],
  ['{?"x": {"a": 1}.?a, ?"y": {"a": 1}.?b}.size()', 1n],
  ['has({"a": 1}.a) && !has({"a": 1}.b)', true],
])

holds('values are equal by what they are', [
  ['dyn(1) == 1.0', true],
  ['dyn(1) == 1u', true],
  ['dyn(1) == dyn("1")', false],
  ['dyn(1) == dyn(true)', false],
  ['null == null', true],
  ['dyn(null) == dyn(0)', false],
  ['[1, 2] == [1, 2]', true],
  ['[1, 2] == [2, 1]', false],
  ['[1] == [1, 1]', false],
  ['dyn([1]) == dyn(1)', false],
  ['{"a": 1, "b": 2} == {"b": 2, "a": 1}', true],
  ['{"a": 1} == {"a": 2}', false],
  ['{"a": 1} == {"b": 1}', false],
  ['{"a": 1} == {"a": 1, "b": 2}', false],
  ['dyn({"a": 1}) == dyn([1])', false],
  ['b"a" == b"a" && b"a" != b"b"', true],
  ['duration("1s") == duration("1000ms")', true],
  ['duration("1s") == duration("2s")', false],
  ['dyn(duration("1s")) == dyn(timestamp(1))', false],
  ['timestamp(1) == timestamp(1) && timestamp(1) != timestamp(2)', true],
  ['type(1) == int && type(1) != string', true],
  ['optional.of(1) == optional.of(1)', true],
  ['optional.of(1) == optional.of(2)', false],
  ['optional.of(1) == optional.none()', false],
  ['optional.none() == optional.none()', true],
  ['dyn(quantity("1")) == dyn(ip("::1"))', false],
  ['double("NaN") == double("NaN")', false],
  ['double("NaN") < 1.0 || double("NaN") > 1.0', false],
  ['dyn(9007199254740993) == 9007199254740992.0', true],
])

holds('values have an order within their kind', [
  ['1 < 2 && 1u < 2u && 1.0 < 2.0', true],
  ['dyn(1) < dyn(2u) && dyn(1.5) > dyn(1)', true],
  ['false < true && !(true < true)', true],
  ['"a" < "b" && "a" < "aa" && !("b" < "a")', true],
  ['"\\uffff" < "\\U00010000"', true],
  ['"\\U00010000" > "\\uffff"', true],
  ['b"a" < b"b"', true],
  ['duration("1s") < duration("2s") && duration("2s") > duration("1s")', true],
  ['timestamp(1) < timestamp(2) && timestamp(2) >= timestamp(2)', true],
  ['timestamp(1) + duration("1s") == timestamp(2)', true],
  ['duration("1s") + timestamp(1) == timestamp(2)', true],
  ['timestamp(2) - duration("1s") == timestamp(1)', true],
  ['duration("3s") - duration("1s") == duration("2s")', true],
  ['-duration("1s") == duration("-1s")', true],
  ['-(1.5)', -1.5],
])

const overload = (at: string, name: string, given: string): string =>
  `${at}: found no matching overload for '${name}' applied to '${given}'`

holds('mistakes of type are told before anything runs', [
  ['1 + "a"', overload('1:3', '_+_', '(int, string)')],
  ['1 && true', overload('1:3', '_&&_', '(int, bool)')],
  ['!1', overload('1:1', '!_', '(int)')],
  ['1 ? 2 : 3', overload('1:3', '_?_:_', '(int, int, int)')],
  ['"a".nope()', "1:9: undeclared reference to 'nope' (in container '')"],
  ['"a".size(1)', overload('1:9', 'size', 'string.(int)')],
  ['size(1)', overload('1:5', 'size', '(int)')],
  ['[1]["a"]', overload('1:4', '_[_]', '(list(int), string)')],
  ['{"a": 1}[1]', overload('1:9', '_[_]', '(map(string, int), int)')],
  ['[1][?"a"]', overload('1:4', '_[?_]', '(list(int), string)')],
  ['(1).a', "1:4: type 'int' does not support field selection"],
  ['1.all(x, true)', "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
  ['[1].all(x, x)', overload('1:12', '_&&_', '(bool, int)')],
  ['[1].exists(x, x)', overload('1:15', '_||_', '(bool, int)')],
  ['[1].filter(x, x)', overload('1:15', '_?_:_', '(int, dyn, dyn)')],
  ['[1].map(x, x, x)', overload('1:12', '_?_:_', '(int, dyn, dyn)')],
  ['"a".matches("(")', '1:13: invalid matches argument'],
  ['"a".find("(")', '1:10: invalid find argument'],
  ['"a".findAll("(")', '1:13: invalid findAll argument'],
  ['duration("x")', '1:10: invalid duration argument'],
  ['timestamp("x")', '1:11: invalid timestamp argument'],
  ['Foo{a: 1}', "1:4: undeclared reference to 'Foo' (in container '')"],
  ['"%d".format(["a"])', '1:14: error during formatting: decimal clause can only be used on integers, was given string'],
  ['"%f".format(["a"])', '1:14: error during formatting: fixed-point clause can only be used on doubles, was given string'],
  ['"%b".format([1.5])', '1:14: error during formatting: binary clause can only be used on integers and bools, was given double'],
  [
    '"%x".format([1.5])',
    '1:14: error during formatting: hex clause can only be used on integers, byte buffers, and strings, was given double',
  ],
  ['"%s %s".format(["a"])', '1:15: index 1 out of range'],
  ['"%q".format(["a"])', '1:12: could not parse formatting clause: unrecognized formatting clause "q"'],
  ['"%%%s".format(["a"])', '%a'],
])

holds('names of types and of variables are told apart', [
  ['type(timestamp(1)) == google.protobuf.Timestamp', true],
  ['type(duration("1s")) == google.protobuf.Duration', true],
  ['cel.bind(google, {"protobuf": {"Timestamp": 1}}, google.protobuf.Timestamp + 1)', 2n],
  ['cel.bind(int, 5, int)', 5n],
  ['cel.bind(sets, "abc", sets.contains("b"))', true],
  ['.int == int', true],
  ['google.?protobuf.Timestamp', "1:1: undeclared reference to 'google' (in container '')"],
  ['sets.contains([1], [1])', true],
  ['quantity("1").a', "1:14: type 'kubernetes.Quantity' does not support field selection"],
  ['quantity("1")[0]', overload('1:14', '_[_]', '(kubernetes.Quantity, int)')],
  ['"%s %s".format([1] + [2])', '1 2'],
  ['[1].map(x, x.a)', "1:13: type 'int' does not support field selection"],
  ['{"a": 1}.?a.b', "1:12: type 'int' does not support field selection"],
  ['[[1]][?0][0]', ['something', 1n]],
  ['[[1]][?1][0]', 'nothing'],
  ['optional.of({"a": 1})["a"]', ['something', 1n]],
  ['has(optional.of({"a": 1}).a)', true],
  ['has(optional.of({"a": 1}).b)', false],
  ['has(dyn(1).a)', 'failed: no such overload'],
  ['dyn(1).a', 'failed: no such overload'],
  ['{"a": 1}.b', 'failed: no such key: b'],
  ['dyn([1])["a"]', 'failed: unsupported index type in list'],
  ['dyn([1])[0.0]', 1n],
  ['dyn([1])[0u]', 1n],
  ['dyn(1)[0]', 'failed: no such overload'],
  ['{dyn(1.5): "a"}', 'failed: unsupported key type'],
  ['{"a": 1, "a": 2}', 'failed: Failed with repeated key'],
  ['dyn(1).all(x, true)', 'failed: no such overload'],
  ['[dyn(1)].all(x, x)', 'failed: no such overload'],
  ['[dyn(1)].filter(x, x)', 'failed: no such overload'],
  ['[dyn(1)].exists_one(x, x)', 'failed: no such overload'],
  ['dyn(1).optMap(x, x)', 'failed: no such overload'],
  ['optional.of(1).optFlatMap(x, dyn(1))', 'failed: no such overload'],
  ['[1].transformMapEntry(i, v, dyn(1))', 'failed: no such overload'],
  ['[1].transformMapEntry(i, v, v)', '1:22: transformMapEntry needs a map'],
  ['dyn(1) && false', false],
  ['dyn(1) || true', true],
  ['false && dyn(1)', false],
  ['true || dyn(1)', true],
  ['dyn(1) && true', 'failed: no such overload'],
  ['true && dyn(1)', 'failed: no such overload'],
  ['dyn(1) ? 1 : 2', 'failed: no such overload'],
  ['dyn(1) + dyn("a")', 'failed: no such overload'],
  ['1 / 0 == 1 || true', true],
  ['1 / 0 == 1 && false', false],
  ['1 / 0 == 1 || false', 'failed: division by zero'],
  ['true ? 1 : 1 / 0', 1n],
  ['["%s"][0].format([1])', '1'],
  ['"%s".format([dyn(1)])', '1'],
])

test('every expression has a type', () => {
  const scope = new Map<string, CelType>([
    ['l', listOf(intType)],
    ['m', mapOf(stringType, intType)],
    ['d', dynType],
    ['o', optionalOf(stringType)],
  ])
  const typed = (source: string): string => {
    const compiled = compile(source, scope)
    return compiled.kind === 'compiled' ? renderType(compiled.program.type) : compiled.message
  }
  const rows: readonly (readonly [source: string, type: string])[] = [
    ['l[0]', 'int'],
    ['m["a"]', 'int'],
    ['m.a', 'int'],
    ['d.a.b', 'dyn'],
    ['d[0]', 'dyn'],
    ['o.orValue("a")', 'string'],
    ['m.?a', 'optional_type(int)'],
    ['[1, 2]', 'list(int)'],
    ['[1][?0]', 'optional_type(int)'],
    ['[[1]][?0][0]', 'optional_type(int)'],
    ['[1, "a"]', 'list(dyn)'],
    ['{"a": 1}', 'map(string, int)'],
    ['{"a": 1, 2: "b"}', 'map(dyn, dyn)'],
    ['l.map(x, string(x))', 'list(string)'],
    ['l.filter(x, true)', 'list(int)'],
    ['m.filter(k, true)', 'list(string)'],
    ['m.transformMap(k, v, "x")', 'map(string, string)'],
    ['l.transformMap(i, v, "x")', 'map(int, string)'],
    ['m.transformMapEntry(k, v, {v: k})', 'map(int, string)'],
    ['l.transformList(i, v, i)', 'list(int)'],
    ['o.optMap(x, size(x))', 'optional_type(int)'],
    ['o.optFlatMap(x, optional.of(1))', 'optional_type(int)'],
    ['true ? 1 : 2', 'int'],
    ['type(1)', 'type'],
    ['int', 'type'],
    ['1u', 'uint'],
    ['b"a"', 'bytes'],
    ['1.5', 'double'],
    ['null', 'null'],
    ['[?m.?a]', 'list(int)'],
    ['{?"a": m.?a}', 'map(string, int)'],
    ['l.size() + m.size()', 'int'],
    ['l.max()', 'int'],
    ['cel.bind(x, "a", x)', 'string'],
  ]
  assert.deepEqual(
    rows.map(([source]) => [source, typed(source)]),
    rows,
  )
})

test('what an expression costs is counted while it runs', () => {
  const cost = (source: string): number => {
    const compiled = compile(source, none)
    assert.equal(compiled.kind, 'compiled', source)
    const meter = { cost: 0, costMax: 1_000_000 }
    if (compiled.kind === 'compiled') compiled.program.run([], meter)
    return meter.cost
  }
  const long = (length: number): string => `"${'x'.repeat(length)}"`
  const rows: readonly (readonly [source: string, cost: number])[] = [
    ['1', 0],
    ['1 < 2', 1],
    [`${long(30)} == ${long(50)}`, 3],
    [`${long(11)} == ${long(50)}`, 2],
    ['1 + 2', 1],
    [`${long(10)} + ${long(11)}`, 3],
    [`${long(50)}.startsWith(${long(11)})`, 2],
    [`${long(50)}.contains(${long(11)})`, 10],
    [`${long(50)}.lowerAscii()`, 5],
    [`${long(50)}.matches("abcde")`, 12],
    ['[1, 2, 3]', 10],
    ['2 in [1, 2, 3]', 13],
    ['{"a": 1}', 30],
    ['[1, 2, 3].sum()', 13],
    ['sets.contains([1, 2], [1])', 10 + 10 + 3],
    ['sets.equivalent([1, 2], [1])', 10 + 10 + 5],
    ['[1, 2].all(x, x > 0)', 10 + 2 * (3 + 1 + 1)],
    ['[1, 2].exists(x, x > 1)', 10 + 2 * (4 + 1 + 1)],
    ['[1, 2].map(x, x)', 10 + 2 * (12 + 1)],
    ['[1, 2].exists_one(x, x > 1)', 10 + 2 * (2 + 1 + 1)],
    ['[1, 2].transformMap(i, v, v)', 10 + 2 * (32 + 1)],
    ['optional.of(1).optMap(x, x)', 1 + 2 + 1],
  ]
  assert.deepEqual(
    rows.map(([source]) => [source, cost(source)]),
    rows,
  )
})
