// Opens every page of the site from the disk, without a network, on a desk's screen and on a phone's: nothing scrolls
// sideways but boxes of their own, formulas are drawn, its search finds something, and nothing is asked of another
// machine.
//   node site_test.mjs SITE CHROMIUM [SCREENSHOTS PAGE...]
import { mkdirSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';

const { chromium } = createRequire(join(process.cwd(), 'x.js'))('playwright-core');
const [site, program, screenshots, ...shown] = process.argv.slice(2);
const pages = readdirSync(site, { recursive: true }).filter(name => name.endsWith('.html')).sort();
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
const faults = [];
for (const width of [1280, 400]) {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  let name = '';
  page.on('request', request => {
    if (!/^(file|data):/.test(request.url())) faults.push(`${name} asks for ${request.url()}`);
  });
  page.on('requestfailed', request => faults.push(`${name} lacks ${request.url()}`));
  page.on('pageerror', error => faults.push(`${name}: ${error.message}`));
  for (name of pages) {
    await page.goto(pathToFileURL(resolve(site, name)).href);
    if (await page.locator('article .math').count())
      await page.waitForFunction(() => window.MathJax?.Hub && [...document.querySelectorAll('article .math')]
        .every(formula => formula.querySelector('svg')), null, { timeout: 20000 })
        .catch(() => faults.push(`${name}: formulas are not drawn`));
    const found = await page.evaluate(() => {
      const drawn = [];
      if (document.documentElement.scrollWidth > window.innerWidth)
        drawn.push(`scrolls sideways: ${document.documentElement.scrollWidth} of ${window.innerWidth} pixels`);
      for (const formula of document.querySelectorAll('article .math .merror, article .math [fill="red"]'))
        drawn.push(`a formula is not understood: ${formula.textContent}`);
      for (const image of document.images) if (!image.naturalWidth) drawn.push(`image ${image.src} is not shown`);
      // Text that juts out of the page is cut, unless a box scrolls it.
      const texts = document.createTreeWalker(document.querySelector('article') ?? document.body, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const parent = text.parentElement;
        if (!text.data.trim() || parent.closest('pre, .table-wrapper, div.math, script, .MathJax_SVG, .MJX_Assistive_MathML'))
          continue;
        range.selectNodeContents(text);
        const { right, width } = range.getBoundingClientRect();
        if (width && right > window.innerWidth) drawn.push(`is cut: ${text.data.trim().slice(0, 60)}`);
      }
      return drawn;
    });
    faults.push(...found.map(fault => `${name} at ${width}: ${fault}`));
    if (shown.includes(name)) {
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name.replaceAll('/', '-')}-${width}.png`), fullPage: true });
    }
  }
  name = 'search.html';
  await page.goto(`${pathToFileURL(resolve(site, name)).href}?q=elpd`);
  await page.locator('#search-results ul.search li a').first().waitFor({ timeout: 20000 })
    .catch(() => faults.push(`${name} at ${width}: finds nothing for 'elpd'`));
  await context.close();
}
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${pages.length} pages of ${relative('.', site)} at 1280 and 400 pixels: ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
