# shellcheck shell=bash
# Installs the Debian packages that building needs. Sourced by the scripts beside this folder.

required_packages=(g++ cmake ninja-build pkg-config python3
    libglm-dev libtinyobjloader-dev libtinygltf-dev libstb-dev libcli11-dev nlohmann-json3-dev
    libspdlog-dev libopenexr-dev libtbb-dev libgtest-dev libbenchmark-dev)
# ccache only saves time; without Embree the tests and benchmarks against it are left out, without matplotlib the report of `warpath bench`, without
# the last two lines the viewer and its tests, which need a virtual display with Mesa's software OpenGL.
optional_packages=(ccache libembree-dev python3-matplotlib
    libglfw3-dev libimgui-dev libepoxy-dev
    xvfb xauth libgl1-mesa-dri xdotool)

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

is_known_to_apt() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# apt-get without questions, as root or with sudo (which may ask for a password). Prints only when it fails.
quiet_apt_get() {
    local log as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    log=$(mktemp)
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y "$@" >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        echo "error: apt-get $1 failed (above)" >&2
        return 1
    fi
    rm -f "$log"
}

# install_packages PACKAGE...
install_packages() {
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "error: installing packages needs root, and sudo is not here; run as root: apt-get install $*" >&2
        return 1
    fi
    echo "Installing with apt-get: $*"
    quiet_apt_get install --no-install-recommends "$@"
}

# Installs what is missing. Quick and silent when nothing is.
ensure_packages() {
    local package missing=() extra=()
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "note: packages are installed with apt, which this machine does not have; going on with what is there." >&2
        echo "      Needed: ${required_packages[*]} (Debian's names)" >&2
        return 0
    fi
    for package in "${required_packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        echo "Missing packages: ${missing[*]}; updating apt's lists"
        quiet_apt_get update
        install_packages "${missing[@]}"
    fi
    for package in "${optional_packages[@]}"; do
        if ! is_installed "$package" && is_known_to_apt "$package"; then extra+=("$package"); fi
    done
    if [ ${#extra[@]} -gt 0 ]; then
        install_packages "${extra[@]}" || echo "note: these are optional; going on without ${extra[*]}" >&2
    fi
}
