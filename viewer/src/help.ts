// What the keys do.
export const HELP = `
<h2>Keys and mouse</h2>
<table>
<tr><th>1, 2, 3 …</th><td>the views, from left to right: flame graph, sandwich, tree, methods, paths, over time, run</td></tr>
<tr><th>/</th><td>search; <kbd>/expression/</kbd> is a regular one; <kbd>Enter</kbd> lists the methods found, <kbd>Escape</kbd> ends</td></tr>
<tr><th>click, Enter</th><td>zoom to a box; <kbd>Escape</kbd> zooms out</td></tr>
<tr><th>arrows</th><td>to the caller, the heaviest callee, the box beside; unfold and fold in the tree</td></tr>
<tr><th>s</th><td>callers and callees of the selected method</td></tr>
<tr><th>i, f</th><td>callers on top, or at the bottom</td></tr>
<tr><th>d</th><td>dark or light</td></tr>
</table>
<p>A box is as wide as the number of the context and of everything below it. <em>Own</em> is the number of the context itself.</p>
`;
