"""Trains small tokenizers of many families into DIR, a folder each: make_tokenizers.py DIR"""

import json
import os
import random
import sys

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

CL100K = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
GPT4 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
O200K = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
DEEPSEEK = r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
KIMI = "|".join([r"[\p{Han}]+", O200K.replace(r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]").replace(r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]")])

CHATML = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def corpus():
    """Text that every machine with Python has, and a little of other scripts."""
    folder = os.path.dirname(json.__file__)
    texts = []
    for base in (folder, os.path.dirname(folder)):
        for name in sorted(os.listdir(base))[:60]:
            if name.endswith(".py"):
                texts += open(os.path.join(base, name), encoding="utf-8", errors="ignore").read().split("\n")[:400]
    samples = "Grüße aus Köln und Zürich|Привет, как дела?|你好，世界。我们在学习|こんにちは世界 カタカナ|한국어 문장입니다|مرحبا بالعالم|שלום עולם|नमस्ते दुनिया|สวัสดีชาวโลก|👩‍👩‍👧 😀 🇩🇪|café naïve ÉCOLE|don't I'll we've they're|1234567 3.14 2024-01-02"
    return texts + samples.split("|") * 30


def byte_level_bpe(pre, size=1200, specials=CHATML, normalizer=None, **model):
    tokenizer = Tokenizer(models.BPE(**model))
    tokenizer.pre_tokenizer = pre
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        corpus(),
        trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=specials,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
            **({"end_of_word_suffix": "</w>"} if model.get("end_of_word_suffix") else {}),
        ),
    )
    return tokenizer


def split(pattern):
    return pre_tokenizers.Split(Regex(pattern), "isolated")


def to_bytes():
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)


def gpt2():
    tokenizer = byte_level_bpe(pre_tokenizers.ByteLevel(add_prefix_space=False))
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    return tokenizer


def roberta():
    tokenizer = byte_level_bpe(pre_tokenizers.ByteLevel(add_prefix_space=True), specials=["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def llama3():
    tokenizer = byte_level_bpe(
        pre_tokenizers.Sequence([split(CL100K), to_bytes()]),
        specials=["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>"],
        ignore_merges=True,
    )
    tokenizer.post_processor = processors.Sequence(
        [
            processors.ByteLevel(trim_offsets=True),
            processors.TemplateProcessing(single="<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", 0)]),
        ]
    )
    return tokenizer


def qwen2():
    tokenizer = byte_level_bpe(pre_tokenizers.Sequence([split(QWEN2), to_bytes()]), normalizer=normalizers.NFC())
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in ("<tool_call>", "</tool_call>", "<think>", "</think>")])
    tokenizer.add_tokens([AddedToken("Écoles", normalized=True), AddedToken("word", single_word=True, normalized=True)])
    return tokenizer


def gpt4():
    return byte_level_bpe(pre_tokenizers.Sequence([split(GPT4), to_bytes()]))


def o200k():
    return byte_level_bpe(pre_tokenizers.Sequence([split(O200K), to_bytes()]), ignore_merges=True)


def kimi():
    return byte_level_bpe(pre_tokenizers.Sequence([split(KIMI), to_bytes()]))


def deepseek():
    return byte_level_bpe(
        pre_tokenizers.Sequence([split(r"\p{N}{1,3}"), split("[一-龥\u3040-ゟ゠-ヿ]+"), split(DEEPSEEK), to_bytes()]),
        specials=["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>"],
    )


def falcon():
    return byte_level_bpe(
        pre_tokenizers.Sequence(
            [
                pre_tokenizers.Punctuation("contiguous"),
                pre_tokenizers.ByteLevel(add_prefix_space=False),
                pre_tokenizers.Digits(individual_digits=False),
                split("[0-9][0-9][0-9]"),
            ]
        )
    )


def starcoder():
    return byte_level_bpe(pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]))


def clip():
    return byte_level_bpe(
        pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"), "removed", invert=True),
                pre_tokenizers.ByteLevel(add_prefix_space=False),
            ]
        ),
        normalizer=normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]),
        specials=["<|startoftext|>", "<|endoftext|>"],
        end_of_word_suffix="</w>",
        unk_token="<|endoftext|>",
    )


BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
MARK_DECODER = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])


def sentence_piece_bpe(train_pre, size=1500, specials=("<unk>", "<s>", "</s>")):
    """BPE with byte fallback, as converted from SentencePiece."""
    trained = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    trained.normalizer = normalizers.Replace(" ", "▁")
    trained.pre_tokenizer = train_pre
    trained.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=size, special_tokens=list(specials) + BYTES, limit_alphabet=200, show_progress=False))
    trained.pre_tokenizer = None
    return trained


def llama2():
    tokenizer = sentence_piece_bpe(pre_tokenizers.Split("▁", "merged_with_next"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = MARK_DECODER
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return tokenizer


def llama2_metaspace():
    tokenizer = sentence_piece_bpe(pre_tokenizers.Split("▁", "merged_with_next"))
    tokenizer.normalizer = None
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first", split=False)
    tokenizer.decoder = MARK_DECODER
    return tokenizer


def gemma():
    tokenizer = sentence_piece_bpe(pre_tokenizers.Split("▁", "merged_with_previous"), specials=("<pad>", "<eos>", "<bos>", "<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return tokenizer


def unigram(byte_fallback, normalizer):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    specials = ["<unk>", "<pad>", "</s>"]
    tokenizer.train_from_iterator(corpus(), trainers.UnigramTrainer(vocab_size=900, special_tokens=specials, unk_token="<unk>", show_progress=False))
    if byte_fallback:
        saved = json.loads(tokenizer.to_str())
        known = {token for token, _ in saved["model"]["vocab"]}
        saved["model"]["vocab"] += [[token, -15.0] for token in BYTES if token not in known]
        saved["model"]["byte_fallback"] = True
        saved["decoder"] = json.loads(decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(replacement="▁", prepend_scheme="always")]).__getstate__())
        tokenizer = Tokenizer.from_str(json.dumps(saved))
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    return tokenizer


def t5():
    return unigram(False, normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]))


def unigram_bytes():
    return unigram(True, normalizers.Sequence([normalizers.Strip(left=False, right=True), normalizers.NFKD(), normalizers.StripAccents()]))


def bert():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(corpus(), trainers.WordPieceTrainer(vocab_size=1500, special_tokens=specials, show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return tokenizer


def bert_cased():
    tokenizer = bert()
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=True)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def word_level():
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(corpus(), trainers.WordLevelTrainer(vocab_size=1500, special_tokens=["[UNK]"], show_progress=False))
    return tokenizer


FAMILIES = [gpt2, roberta, llama3, qwen2, gpt4, o200k, kimi, deepseek, falcon, starcoder, clip, llama2, llama2_metaspace, gemma, t5, unigram_bytes, bert, bert_cased, word_level]


def main(folder):
    random.seed(0)
    for family in FAMILIES:
        place = os.path.join(folder, family.__name__)
        os.makedirs(place, exist_ok=True)
        family().save(os.path.join(place, "tokenizer.json"))
        with open(os.path.join(place, "tokenizer_config.json"), "w") as file:
            json.dump({"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False}, file)


main(sys.argv[1])
