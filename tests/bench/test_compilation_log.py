"""measure/compilation_log.py on lines as JDK 17 writes them."""

import unittest

import bench_tree  # noqa: F401
from measure import compilation_log
from measure.compilation_log import CompiledCode

LOG = """<task compile_id='7' method='A a ()V' bytes='27' level='3' stamp='0.053'>
<inline_success reason='inline'/>
</task>
<nmethod compile_id='7' compiler='c1' level='3' size='900' insts_offset='100' stub_offset='500' method='A a ()V'/>
<task compile_id='9' method='A a ()V' bytes='27' stamp='0.055'>
<inline_success reason='inline (hot)'/>
<inline_fail reason='too big'/>
<inline_success reason='force inline by CompileCommand'/>
</task>
<nmethod compile_id='9' compiler='c2' level='4' size='900' insts_offset='100' stub_offset='600' method='A a ()V'/>
<task compile_id='10' method='A b ()V' bytes='27' stamp='0.055'>
<inline_success reason='inline (hot)'/>
</task>
<nmethod compile_id='10' compiler='c2' level='4' size='900' insts_offset='100' stub_offset='300' method='A b ()V'/>
<make_not_entrant thread='1' compile_id='10' compiler='c2' level='4' stamp='0.2'/>
"""


class CompilationLogTest(unittest.TestCase):
    def test_counts_what_c2_made_and_what_is_still_in_use(self):
        self.assertEqual(compilation_log.read(LOG.splitlines()),
                         CompiledCode(methods=1, code_bytes=500, inlined_calls=2, forced_calls=1))

    def test_an_empty_log_holds_nothing(self):
        self.assertEqual(compilation_log.read([]), CompiledCode(0, 0, 0, 0))


if __name__ == "__main__":
    unittest.main()
