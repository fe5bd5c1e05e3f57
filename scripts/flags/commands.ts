// The flags of every `npm run` script of this repository, in one table: its help, its refusals, and what the test of them asks for.
import { availableParallelism } from 'node:os'
import type { CommandShape, FlagShape } from './flags.ts'

const seed: FlagShape = { value: 'N', help: 'where the draws begin', default: '1' }

const test: Pick<CommandShape, 'words' | 'flags'> = {
  words: '[FILTER...]',
  flags: {
    processes: {
      value: 'N',
      help: 'so many side by side (default: 2, and 3 of the real suites; one less on a single processor)',
    },
    verbose: { help: 'the name of each test' },
    seed: { value: 'N|random', help: 'property tests look at other inputs: .prop. --seed random', default: '1' },
    remember: { help: 'keep how long each file took, for how they are dealt out' },
    once: { help: 'do not run a file again, alone, that failed beside others' },
  },
}

export const commands: Readonly<Record<string, CommandShape>> = {
  test: {
    ...test,
    command: 'npm test --',
    does: 'Runs the test files whose path holds one of the filters (all without a filter): those that need only Node.',
  },
  'test:real': {
    ...test,
    command: 'npm run test:real --',
    does: 'Runs the suites against a real kube-apiserver, the AWS CLI and others, as far as they can be had.',
  },
  check: {
    command: 'npm run check --',
    does: 'Types, lint, format, unused exports, import walls.',
    flags: { fix: { help: 'mend what can be mended' }, quick: { help: 'leave out what takes longest' } },
  },
  fuzz: {
    command: 'npm run fuzz --',
    does: 'Random inputs: apiserver beside the real one, aws beside moto, webhook (any review gets an answer), parsers or one by its name.',
    words: 'apiserver|aws|webhook|parsers|PARSER...',
    flags: {
      runs: { value: 'N', help: 'so many of them' },
      seed,
      seconds: { value: 'N', help: 'stop after this time', default: '60' },
      steps: { value: 'N', help: 'steps of one sequence', default: '25' },
      show: { value: 'N', help: 'print at most so many findings', default: '20' },
      large: { help: 'parsers: large inputs, for the time that they take' },
    },
  },
  sim: {
    command: 'npm run sim --',
    does: 'Drives a controller through seeded schedules and prints what was tried; a failure is a seed and its least script.',
    flags: {
      controller: { value: 'NAME', help: 'which subject', default: 'certificates' },
      seeds: { value: 'N', help: 'random schedules after the clean run, each single fault and pairs of kills', default: '2000' },
      first: { value: 'N', help: 'the first seed', default: '1' },
      seconds: { value: 'N', help: 'stop after this time; what fitted is reported' },
      least: { value: 'N', help: 'with --seconds: so many schedules run in any case' },
      singles: { value: 'N', help: 'at most so many single faults, spread evenly over the trace' },
      threads: { value: 'N', help: 'so many schedules at a time', default: String(availableParallelism()) },
      crashes: { help: 'only a kill on both sides of each effect of the clean run, and the clean run' },
      'random-only': { help: 'leave out single faults and pairs of kills' },
      faults: { value: 'F1,F4', help: 'only these faults' },
      seed: { value: 'N', help: 'run this one random schedule' },
      script: { value: 'JSON', help: 'run this list of departures, as a failure prints it' },
      trace: { help: 'print the trace of --seed or --script' },
      'shrink-seconds': { value: 'N', help: 'so long at most is each of two failures made smaller at the end', default: '60' },
    },
  },
  chaos: {
    command: 'npm run chaos --',
    does: 'Minutes of faults on two real kube-apiservers, two replicas, a failing AWS and a hostile tenant; each leak is named.',
    flags: { minutes: { value: 'N', help: 'for how long', default: '15' }, seed: { ...seed, value: 'TEXT' } },
  },
  mutants: {
    command: 'npm run mutants --',
    does: 'Breaks the program on purpose, one small defect at a time, and asks the simulator or the tests to notice.',
    flags: {
      only: { value: 'ID', help: 'this defect of the table (test/sim/mutants/*-mutants.ts)' },
      room: { value: 'PATH', help: 'those in files whose path holds this, such as operators/identity/role' },
      effort: { value: 'N', help: 'so many times the schedules for each; half is 0.5', default: '1' },
      processes: { value: 'N', help: 'so many at a time', default: '2' },
      random: {
        value: 'N',
        help: 'instead of the table N defects of a single token in --room, judged by the tests that reach them, nearest first',
      },
      seed,
      also: { value: 'PATH', help: 'with --random, tests besides those of the room', many: true },
      follow: {
        value: 'REF',
        help: 'after a rename: defects whose words were renamed since this commit get the new words in the table',
      },
    },
  },
  'vectors:record': {
    command: 'npm run vectors:record --',
    does: 'Records what the real kube-apiserver answers, all themes or those named.',
    words: '[THEME...]',
    flags: {},
  },
  kinds: {
    command: 'npm run kinds --',
    does: 'Prints the table of kinds by what was proven of each against moto, for all services or those named.',
    words: '[SERVICE|KIND...]',
    flags: { calls: { help: 'the calls of each step' }, write: { help: 'put the table into docs/reference' } },
  },
  'managed-policies': {
    command: 'npm run managed-policies --',
    does: 'Compares the managed policies of the emulator with those recorded with moto, and with more policies by name.',
    words: '[POLICY...]',
    flags: { write: { help: 'take the recording' } },
  },
  settable: {
    command: 'npm run settable --',
    does: 'Counts the fields of the kinds that can be inferred that can be set.',
    flags: {
      data: { value: 'FOLDER', help: 'data folder of botocore (default: the cached one)' },
      list: { value: 'N', help: 'print some of the evidence, drawn by this seed' },
    },
  },
  deviation: {
    command: 'npm run deviation --',
    does: 'Writes the files of a kind that deviates, such as eks/AccessEntry.',
    words: 'SERVICE/KIND',
    flags: {},
  },
  generate: {
    command: 'npm run generate --',
    does: 'Makes the wire forms of the services from their models. One of --models and --botocore is needed.',
    flags: {
      models: { value: 'DIR', help: 'models as AWS publishes them' },
      botocore: { value: 'DIR', help: 'models of botocore' },
      generators: { value: 'DIR', help: 'generator.yaml of the controllers' },
      check: { help: 'write nothing; fail where something would be written' },
    },
  },
  reference: {
    command: 'npm run reference --',
    does: 'Writes the pages of docs/reference that are made of the program.',
    flags: {},
  },
  charts: {
    command: 'npm run charts --',
    does: 'Writes deploy/charts from the templates and from what each operator says.',
    flags: {},
  },
  build: { command: 'npm run build --', does: 'Makes the package, by default in dist/package.', words: '[FOLDER]', flags: {} },
  executable: {
    command: 'npm run executable --',
    does: 'Makes one file of the consumers of remote identities, by default dist/vouch-tools; prints its size and how fast it starts.',
    words: '[FILE]',
    flags: {},
  },
}
