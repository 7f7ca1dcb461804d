"""python-cache.py write|read CACHE ID FILE: uses the cache as Python programs do; prints the file's content.

write: downloads the whole dataset from HF_ENDPOINT. read: only looks into the cache.
"""

import sys

from huggingface_hub import hf_hub_download, snapshot_download

action, cache, dataset, name = sys.argv[1:]
common = {"repo_type": "dataset", "cache_dir": cache}
if action == "write":
    snapshot_download(dataset, **common)
else:
    snapshot_download(dataset, local_files_only=True, allow_patterns=[name], **common)
path = hf_hub_download(dataset, name, local_files_only=action == "read", **common)
sys.stdout.write(open(path).read())
