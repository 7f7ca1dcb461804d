import { readdir, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import typescript from 'typescript';

const builtins = new Set(builtinModules);

export async function checkArrows(root, table) {
  const findings = [];
  for (const directory of await packageDirectories(root)) {
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    const arrow = table[manifest.name];
    if (arrow === undefined) {
      findings.push({
        place: relative(root, directory),
        message: `${manifest.name} is not in tooling/arrows/table.js`,
      });
      continue;
    }
    const files = await readImports(directory);
    findings.push(
      ...checkManifest(root, directory, manifest, arrow),
      ...files.flatMap((file) => checkFile(root, directory, manifest, arrow, file)),
      ...findCycles(root, files),
    );
  }
  return [...findings, ...findPackageCycles(table)];
}

async function packageDirectories(root) {
  const found = [];
  for (const layer of ['packages', 'apps']) {
    const entries = await readdir(join(root, layer), { withFileTypes: true }).catch(missingIsEmpty);
    found.push(
      ...entries
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(root, layer, entry.name)),
    );
  }
  return found;
}

function missingIsEmpty(error) {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** The manifest declares what the table allows, no more. */
function checkManifest(root, directory, manifest, arrow) {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return declared
    .filter((name) => !isAllowed(name, arrow))
    .map((name) => ({
      place: relative(root, join(directory, 'package.json')),
      message: `${manifest.name} may not depend on ${name}`,
    }));
}

function isAllowed(name, arrow) {
  if (!name.startsWith('@hermes/')) return arrow.vendors.includes(name);
  return arrow.hermes === '*' || arrow.hermes.includes(name);
}

function checkFile(root, directory, manifest, arrow, file) {
  const isSource = relative(directory, file.path).startsWith('src/');
  const runtime = { ...manifest.dependencies, ...manifest.peerDependencies };
  const declared = isSource ? runtime : { ...runtime, ...manifest.devDependencies };
  const findings = [];
  for (const specifier of file.imports) {
    const problem = specifier.startsWith('.')
      ? leavesPackage(directory, file.path, specifier)
      : foreignImport(specifier, manifest, arrow, declared, isSource);
    if (problem !== null) findings.push({ place: relative(root, file.path), message: problem });
  }
  return findings;
}

function leavesPackage(directory, path, specifier) {
  const target = resolve(dirname(path), specifier);
  return relative(directory, target).startsWith('..')
    ? `relative import leaves the package: ${specifier}`
    : null;
}

function foreignImport(specifier, manifest, arrow, declared, isSource) {
  if (specifier.startsWith('node:')) return null;
  if (builtins.has(specifier)) return `write node:${specifier}`;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (name === manifest.name) return null;
  if (isSource && !isAllowed(name, arrow)) return `wrong arrow: ${manifest.name} -> ${name}`;
  return name in declared ? null : `undeclared import: ${name} is not in package.json`;
}

/** All TypeScript and JavaScript files of a package with what they import, static, dynamic and type-only alike. */
async function readImports(directory) {
  const files = [];
  for (const folder of ['src', 'test', 'bench']) {
    const entries = await readdir(join(directory, folder), {
      withFileTypes: true,
      recursive: true,
    }).catch(missingIsEmpty);
    for (const entry of entries) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      if (!entry.isFile() || !/\.(ts|mts|js|mjs)$/.test(entry.name) || path.includes('/fixtures/'))
        continue;
      const text = await readFile(path, 'utf8');
      files.push({
        path,
        imports: importsOf(text),
        runtimeImports: importsOf(withoutTypeImports(text)),
      });
    }
  }
  return files;
}

function importsOf(text) {
  return typescript.preProcessFile(text, true, true).importedFiles.map((found) => found.fileName);
}

/** Types may refer to each other across files (an event holds a call, a call can emit events); code may not. */
function withoutTypeImports(text) {
  return text.replace(/^(?:import|export) type\b[^;]*;/gm, '');
}

function findCycles(root, files) {
  const edges = new Map(
    files.map((file) => [
      file.path,
      file.runtimeImports
        .filter((name) => name.startsWith('.'))
        .map((name) => resolve(dirname(file.path), name)),
    ]),
  );
  return cyclesOf(edges).map((cycle) => ({
    place: relative(root, cycle[0]),
    message: `import cycle: ${cycle.map((path) => relative(root, path)).join(' -> ')}`,
  }));
}

function findPackageCycles(table) {
  const edges = new Map(
    Object.entries(table).map(([name, arrow]) => [name, arrow.hermes === '*' ? [] : arrow.hermes]),
  );
  return cyclesOf(edges).map((cycle) => ({
    place: 'tooling/arrows/table.js',
    message: `package cycle: ${cycle.join(' -> ')}`,
  }));
}

/** Depth-first search; one cycle for each back edge. */
function cyclesOf(edges) {
  const state = new Map();
  const cycles = [];
  const visit = (node, path) => {
    if (state.get(node) === 'done') return;
    if (state.get(node) === 'open') {
      cycles.push([...path.slice(path.indexOf(node)), node]);
      return;
    }
    state.set(node, 'open');
    for (const next of edges.get(node) ?? []) visit(next, [...path, node]);
    state.set(node, 'done');
  };
  for (const node of edges.keys()) visit(node, []);
  return cycles;
}
