// What this machine has set for real runs is no setting of the tests.
for (const name of Object.keys(process.env))
  if (name.startsWith('TERMINAL_')) delete process.env[name];
