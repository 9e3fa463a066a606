# shellcheck shell=bash disable=SC2154
# Finds CUDA, configures and builds. Sourced by the scripts beside this folder, which set `root`, the checkout.

# Lets ccache find what another checkout of the same sources compiled.
export CCACHE_BASEDIR=$root

# Prints the path of an nvcc that knows C++20 (12.0 or newer); fails if there is none, or if WARPATH_CUDA is OFF.
find_nvcc() {
    local nvcc
    [ "${WARPATH_CUDA:-AUTO}" != OFF ] || return 1
    nvcc=$(command -v nvcc || true)
    [ -n "$nvcc" ] || nvcc=/usr/local/cuda/bin/nvcc
    [ -x "$nvcc" ] || return 1
    local major
    major=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
    if [ "${major:-0}" -lt 12 ]; then
        echo "note: $nvcc is of CUDA $major; the CUDA backend needs 12.0 or newer and is left out" >&2
        return 1
    fi
    echo "$nvcc"
}

# Prints the compute capabilities of the cards here as CMake writes them ("86;90"); fails if there is no card.
card_architectures() {
    local found
    found=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep -E '^[0-9]+\.[0-9]+$' || true)
    [ -n "$found" ] || return 1
    echo "$found" | tr -d . | sort -u | paste -sd ';'
}

# Runs a command with its output in a log, which is shown only when it fails. $1: what it does, $2: log file.
logged() {
    local what=$1 log=$2 start=$SECONDS
    shift 2
    mkdir -p "$(dirname "$log")"
    printf '%s ... ' "$what"
    if "$@" >"$log" 2>&1; then
        printf '%d s\n' $((SECONDS - start))
    else
        printf 'failed\n'
        grep -nE 'error:|Error at|FAILED|^FAIL |\*\*\*(Failed|Exception|Timeout)' "$log" | head -n 40 >&2 || true
        echo "--- the end of $log:" >&2
        tail -n 40 "$log" >&2
        return 1
    fi
}

# configure PRESET [CMake arguments]: sets build_dir. Presets are of the checkout, so cmake runs there.
configure() {
    local preset=$1
    shift
    build_dir=$root/build-$preset
    logged "Configuring ($preset)" "$build_dir/configure.log" env -C "$root" cmake --preset "$preset" "$@"
}

# Configures for the card that is here, or for the CPU, and says why the latter.
configure_for_this_machine() {
    local architectures nvcc
    if ! architectures=$(card_architectures); then
        echo "No NVIDIA card answers here: building for the CPU"
        configure cpu
    elif ! nvcc=$(find_nvcc); then
        echo "An NVIDIA card is here, but no nvcc of CUDA 12 or newer that may be used: building for the CPU"
        configure cpu
    else
        configure cuda "-DCMAKE_CUDA_COMPILER=$nvcc" "-DCMAKE_CUDA_ARCHITECTURES=$architectures"
    fi
}

# After configure: fails where the viewer is left out, and prints what it needs.
viewer_left_out() {
    local line
    line=$(grep -o 'Viewer: left out; it needs .*' "$build_dir/configure.log" | head -n 1) || return 0
    echo "the viewer cannot be built: it needs ${line#Viewer: left out; it needs }"
    return 1
}

# build TARGET...
build() {
    logged "Building $* with $(nproc) cores" "$build_dir/build.log" \
        cmake --build "$build_dir" --parallel "$(nproc)" --target "$@"
}

# Prints what programs with the thread sanitizer are started with: nothing, or "setarch -R" on kernels that scatter addresses
# too widely for them. Where neither works it prints the reason and fails.
thread_sanitizer_launcher() {
    local folder program status=0
    folder=$(mktemp -d)
    program=$folder/program
    if ! echo 'int main() {}' | "${CXX:-g++}" -fsanitize=thread -x c++ -o "$program" - 2>/dev/null; then
        echo "${CXX:-g++} comes without it"
        status=1
    elif "$program" >/dev/null 2>&1; then
        echo
    elif setarch -R "$program" >/dev/null 2>&1; then
        echo "setarch -R"
    else
        echo "programs with it do not start here, even with setarch -R"
        status=1
    fi
    rm -rf "$folder"
    return $status
}
