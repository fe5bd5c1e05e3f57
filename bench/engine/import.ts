// Times one import in a fresh process.
const from = performance.now()
await import(process.argv[2] ?? '')
process.send?.({ importMs: performance.now() - from })
process.exit(0)
