// `npm run test:real`: the suites that need programs we did not write.
process.argv.push('--real')
await import('./test.ts')
