//! Runs the cases of a file with the crate `tool-parser`, as its gateway does: see ../protocol.md.
use openai_protocol::common::Tool;
use serde_json::{json, Value};
use std::io::{BufRead, BufReader};
use std::panic::{catch_unwind, AssertUnwindSafe};
use tokio::runtime::Runtime;
use tool_parser::ParserFactory;

type Calls = Vec<(String, String)>;

fn parser_name(format: &str) -> Option<&'static str> {
    Some(match format {
        "hermes" | "qwen" => "qwen",
        "mistral" => "mistral",
        "llama3_json" => "llama",
        "deepseek_v3" => "deepseek",
        "deepseek_v3_1" => "deepseek31",
        "deepseek_v32" => "deepseek32",
        "deepseek_v4" => "deepseek_v4",
        "kimi_k2" => "kimik2",
        "kimi_k3" => "kimi_k3",
        "glm45" => "glm45_moe",
        "glm47" => "glm47_moe",
        "qwen3_coder" => "qwen_xml",
        "pythonic" => "pythonic",
        "step3" => "step3",
        "minimax_m2" => "minimax_m2",
        "minimax_m3" => "minimax_m3",
        "cohere_command3" => "cohere",
        "gemma4" => "gemma4",
        _ => return None,
    })
}

struct Peer {
    factory: ParserFactory,
    runtime: Runtime,
}

impl Peer {
    fn whole(&self, name: &str, text: &str, tools: &[Tool]) -> Option<(Calls, String)> {
        let parser = self.factory.registry().get_pooled_parser(name)?;
        let parsed = self.runtime.block_on(async {
            parser.lock().await.parse_complete_with_tools(text, tools).await
        });
        let (content, calls) = parsed.ok()?;
        let calls = calls.into_iter().map(|call| (call.function.name, call.function.arguments));
        Some((calls.collect(), content))
    }

    fn stream(&self, name: &str, text: &str, size: usize, tools: &[Tool]) -> Option<(Calls, String)> {
        let mut parser = self.factory.registry().create_parser(name)?;
        let characters: Vec<char> = text.chars().collect();
        let mut calls = Calls::new();
        let mut content = String::new();
        for chunk in characters.chunks(size) {
            let chunk: String = chunk.iter().collect();
            let parsed = self.runtime.block_on(parser.parse_incremental(&chunk, tools)).ok()?;
            content.push_str(&parsed.normal_text);
            for call in parsed.calls {
                while calls.len() <= call.tool_index {
                    calls.push(Default::default());
                }
                calls[call.tool_index].0.push_str(&call.name.unwrap_or_default());
                calls[call.tool_index].1.push_str(&call.parameters);
            }
        }
        content.push_str(&parser.take_unstreamed_normal_text());
        Some((calls, content))
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let path = std::env::args().nth(1).expect("usage: peer-tool-parser CASES.jsonl");
    let peer = Peer {
        factory: ParserFactory::new(),
        runtime: tokio::runtime::Builder::new_current_thread().build().expect("a runtime"),
    };
    for line in BufReader::new(std::fs::File::open(path).expect("the cases")).lines() {
        let case: Value = serde_json::from_str(&line.expect("a line")).expect("a case");
        run(&peer, &case);
    }
}

fn run(peer: &Peer, case: &Value) {
    let Some(name) = case["format"].as_str().and_then(parser_name) else { return };
    let text = case["text"].as_str().unwrap_or_default();
    let tools: Vec<Tool> = serde_json::from_value(case["tools"].clone()).unwrap_or_default();
    let size = case["chunk"].as_u64().unwrap_or(0) as usize;
    let once = || {
        catch_unwind(AssertUnwindSafe(|| match size {
            0 => peer.whole(name, text, &tools),
            _ => peer.stream(name, text, size, &tools),
        }))
        .ok()
        .flatten()
    };
    let result = once();
    let time = least(case["budgetMs"].as_u64().unwrap_or(0), || {
        once();
    });
    let (calls, content) = result.unwrap_or_default();
    let calls: Vec<Value> = calls.iter().map(|(name, text)| json!({"name": name, "arguments": text})).collect();
    println!("{}", json!({"id": case["id"], "microseconds": time, "calls": calls, "content": content}));
}

/// The least microseconds of a run, measured over as many as take a millisecond together.
fn least(budget_ms: u64, mut once: impl FnMut()) -> Option<f64> {
    let end = cpu_microseconds() + budget_ms as f64 * 1000.0;
    let (mut best, mut times) = (None, 1);
    while budget_ms > 0 && (best.is_none() || cpu_microseconds() < end) {
        let begin = cpu_microseconds();
        for _ in 0..times {
            once();
        }
        let spent = cpu_microseconds() - begin;
        if spent < 1000.0 {
            times *= 2;
        } else {
            let run = spent / f64::from(times);
            best = Some(best.map_or(run, |least: f64| least.min(run)));
        }
    }
    best
}

/// Processor time of this process: what other programs do does not count.
fn cpu_microseconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes to the place that it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
